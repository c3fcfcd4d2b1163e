import type { SourceText } from './repository-files.ts';

/** Words that readers stumble over, and what to write instead. */
const BANNED: readonly (readonly [words: string, instead: string])[] = [
  ['told|tells?|telling', 'reports, returns, informs, or the name of the event'],
  ["nobody|nobody's", 'no caller, no client, no process'],
  ['somebody|someone', 'a caller, a client, a user'],
  ['whoever|whomever', 'the caller that, the client that'],
  ['gives? way|gave way', 'is evicted'],
  ['broke off|breaks? off', 'failed'],
  ['look(?:s|ed)? at', 'reads, checks, inspects'],
  ['fac(?:e|es|ed)', 'transport, adapter'],
  ['stor(?:y|ies)', 'sequence of events, history'],
  ['desk', 'router'],
  ['doubts?|doubted', 'verification'],
  ['lives', 'is in, is stored in'],
  ['anew', 'again'],
  ['hand(?:s|ed)? in', 'pass as a parameter'],
  ['judg(?:e|es|ed|ing)', 'validate'],
  ['mend(?:s|ed)?', 'fix'],
  ['doors?', 'entry point, export'],
  ['beside', 'next to, with'],
  ['the one that', 'the <noun> that'],
  ['keepers?', 'store, cache'],
  ['dear', 'expensive'],
  ['wants?|wanted', 'requires, requests'],
  ['voices?', 'channel'],
  ['last words', 'exit reason'],
];

const WORDS = new RegExp(`\\b(?:${BANNED.map(([words]) => words).join('|')})\\b`, 'gi');

const findReplacement = (word: string): string =>
  BANNED.find(([words]) => new RegExp(`^(?:${words})$`, 'i').test(word))?.[1] ?? '';

const CODE = /^```[^]*?^```|^ {4}[^\n]*$|``[^]*?``|`[^`\n]*`|\]\([^)]*\)|<[^>\n]*>|https?:\S+/gm;
const maskText = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** Returns the prose of a page: fenced blocks, code spans and addresses are blanked, lines stay where they are. */
const maskMarkdownCode = (text: string): string => text.replaceAll(CODE, maskText);

const COMMENT = /\/\*\*?[^]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm;

/** Returns the comments of a program: everything else is blanked, lines stay where they are. */
const maskCode = (text: string): string => {
  let end = 0;
  let prose = '';
  for (const match of text.matchAll(COMMENT)) {
    prose += maskText(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return prose.replaceAll(/``[^]*?``|`[^`\n]*`|@spec [^\n]*|https?:\S+/g, maskText);
};

const OPENING = /\/\*\*[\s*]*(?<word>What|Whether)\b/g;

const countLines = (text: string, index: number): number => text.slice(0, index).split('\n').length;

const findOpenings = ({ file, text }: SourceText): readonly string[] =>
  [...text.matchAll(OPENING)].map(
    ({ index, groups = {} }) =>
      `${file}:${String(countLines(text, index))} begins a docstring with "${groups['word'] ?? ''}"; say what is returned or done`,
  );

/**
 * Returns where prose is not standard technical English: in a page, its text without code; in a program, its comments.
 * @param allowed words that the file needs, in lower case
 */
export const findProseProblems = (
  source: SourceText,
  allowed: readonly string[] = [],
): readonly string[] => {
  const isPage = source.file.endsWith('.md');
  const prose = isPage ? maskMarkdownCode(source.text) : maskCode(source.text);
  const words = [...prose.matchAll(WORDS)]
    .filter(([word]) => !allowed.includes(word.toLowerCase()))
    .map(
      ({ 0: word, index }) =>
        `${source.file}:${String(countLines(prose, index))} says "${word}"; write ${findReplacement(word)}`,
    );
  return isPage ? words : [...words, ...findOpenings(source)];
};
