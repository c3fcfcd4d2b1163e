/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
  /** True when only blank lines separate this block from the previous one. */
  readonly followsBlock: boolean;
}

const FENCE = /^```(\w*)[^\n]*\n(.*?)^```$/gmsu;

/** The fenced blocks of a Markdown page, in order. */
export const blocksOf = (page: string): readonly Block[] => {
  let end = -1;
  return [...page.matchAll(FENCE)].map(([whole, language = '', text = ''], index) => {
    const start = page.indexOf(whole, Math.max(end, 0));
    const between = page.slice(Math.max(end, 0), start);
    end = start + whole.length;
    return { language, text, followsBlock: index > 0 && between.trim() === '' };
  });
};

/** A file that a page shows: a `yaml` block that starts with `# <name>.yaml`. */
export const fileNameOf = ({ language, text }: Block): string | undefined =>
  language === 'yaml'
    ? /^# ([\w.-]+\.ya?ml)$/mu.exec(text.split('\n', 1)[0] ?? '')?.[1]
    : undefined;

/** Where the output goes is not part of the command. */
const PIPED = / [>|] .*$/u;

const WORD = /(?:[^\s"']+|"[^"]*"|'[^']*')+/gu;

const words = (line: string): readonly string[] =>
  [...line.matchAll(WORD)].map(([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/gu,
      (_all, double?: string, single?: string) => double ?? single ?? '',
    ),
  );

/** Returns the Helm commands of an `sh` block that need no cluster, as words. */
export const helmCommands = ({ language, text }: Block): readonly (readonly string[])[] =>
  language === 'sh'
    ? text
        .replaceAll(/\\\n\s*/gu, ' ')
        .split('\n')
        .filter((line) => /^helm (install|upgrade|template|lint|show) /u.test(line))
        .map((line) => words(line.replace(PIPED, '')).slice(1))
    : [];
