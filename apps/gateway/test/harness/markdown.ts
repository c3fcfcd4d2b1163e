/** A fenced block of code of a page. */
export interface CodeBlock {
  readonly page: string;
  /** The line of its first fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly content: string;
  /** The block that follows directly, with nothing but blank lines between. */
  readonly next: CodeBlock | undefined;
}

const BLOCK = /^```(\w*)\n([\s\S]*?)^```$/gmu;

/** The fenced blocks of a Markdown page, in order. */
export function codeBlocks(page: string, markdown: string): readonly CodeBlock[] {
  const found = [...markdown.matchAll(BLOCK)].toReversed();
  let next: CodeBlock | undefined;
  let nextStart = markdown.length;
  const blocks = found.map((match): CodeBlock => {
    const [whole, language = '', content = ''] = match;
    const between = markdown.slice(match.index + whole.length, nextStart);
    const block = {
      page,
      line: markdown.slice(0, match.index).split('\n').length,
      language,
      content: content.trimEnd(),
      next: between.trim() === '' ? next : undefined,
    };
    next = block;
    nextStart = match.index;
    return block;
  });
  return blocks.toReversed();
}

/** The cells of the tables under a heading, header and rule lines left out. */
export function tableRows(markdown: string, heading: string): readonly (readonly string[])[] {
  const [, section = ''] = markdown.split(`\n## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n');
  return lines
    .filter(
      (line, index) => line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1] ?? ''),
    )
    .map((line) => cells(line));
}

const isRule = (line: string): boolean => /^\|[\s|:-]+\|$/u.test(line);

const cells = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/u)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The text of a page without its fenced blocks. */
const prose = (markdown: string): string => markdown.replaceAll(BLOCK, '');

/** Returns the inline code of a page, and each line of its fenced blocks. */
export function codeSpans(markdown: string): readonly string[] {
  const spans = [...prose(markdown).matchAll(/`([^`\n]+)`/gu)].map(([, text = '']) => text);
  return [...spans, ...codeBlocks('', markdown).flatMap(({ content }) => content.split('\n'))];
}

/** Returns the targets of the links of a page inside the repository. */
export function linksOf(markdown: string): readonly { path: string; anchor: string }[] {
  return [...prose(markdown).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/gu)].map(
    ([, path = '', anchor = '']) => ({ path, anchor }),
  );
}

/** The anchors of a page's headings. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = prose(markdown).matchAll(/^#+ (.*)$/gmu);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
