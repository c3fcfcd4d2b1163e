import { looksSecret } from './secret-values.ts';

/** Stands for a value that is not shown. */
export const MASK = '…';

const REFERENCE = /\$\{[^}:]{0,200}(?::(?!-)[^}]{0,500})?\}/gu;
const SCHEME = /^(?:Bearer|Basic|Token)\s*$/iu;
const SECRET_PATH = /^["']?secrets\/[-._a-zA-Z0-9/]+["']?$/u;

/** Returns whether a value under a name is to be hidden. References to secrets are shown. */
export const isHidden = (name: string, value: string): boolean => {
  const rest = value.replaceAll(REFERENCE, '');
  const isReference = rest !== value && (rest.trim() === '' || SCHEME.test(rest));
  return !isReference && !SECRET_PATH.test(value) && looksSecret(name, value);
};

const PEM = /-----BEGIN [^-]*-----.*?(?:-----END [^-]*-----|$)/gu;
const CREDENTIALS = /\b(Bearer|Basic)(\s+)(?!\$\{)[^\s"'\\,\]}]{6,}/giu;
/** Up to the last `@`: a password can contain one. */
const USER_OF_URL = /:\/\/[^\s/"']+@/gu;
/** Addresses to which each who knows them can write. */
const WEBHOOK =
  /(?<=:\/\/(?:hooks\.slack\.com|(?:[\w-]+\.)?discord(?:app)?\.com\/api(?:\/v\d+)?\/webhooks|[\w.-]+\.webhook\.office\.com)\/)[^\s"'<>]+/giu;
const KNOWN_TOKEN =
  /(?<![A-Za-z0-9])(?:sk-|sk_|pk_live|rk_live|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|eyJ|npm_(?!config_|package_|lifecycle_)|pypi-|hf_|dop_v1_|shpat_|SG\.|lin_api_|ntn_)[A-Za-z0-9_.+/=-]{6,}/gu;
const RANDOM =
  /(?<![A-Za-z0-9_]|sha\d{3}:)(?=[a-zA-Z_]*[0-9])(?=[0-9_]*[a-zA-Z])[A-Za-z0-9_]{32,}/gu;
const URL_TEXT = /\bhttps?:\/\/[^\s"'<>]+/giu;
const SEGMENT = /(?<=\/)(?=[A-Za-z_-]*[0-9])(?=[0-9_-]*[A-Za-z])[A-Za-z0-9_-]{24,}(?=[/?#]|$)/gu;

/** Returns a line without texts that are secrets by their form, whatever their names are. */
export const withoutKnownSecrets = (line: string): string =>
  line
    .replaceAll(PEM, MASK)
    .replaceAll(CREDENTIALS, `$1$2${MASK}`)
    .replaceAll(USER_OF_URL, `://${MASK}@`)
    .replaceAll(WEBHOOK, MASK)
    .replaceAll(KNOWN_TOKEN, MASK)
    .replaceAll(URL_TEXT, (url) => url.replaceAll(SEGMENT, MASK))
    .replaceAll(RANDOM, MASK);

/** A value in a line, and the text that ends it when it continues on later lines. */
export interface ValueExtent {
  readonly start: number;
  readonly end: number;
  readonly until?: string;
}

const closedBy = (line: string, start: number, until: string): ValueExtent => {
  const end = line.indexOf(until, start);
  return end === -1 ? { start, end: line.length, until } : { start, end };
};

/** In double quotes a backslash escapes, in single quotes of YAML a second quote does. */
const inQuotes = (line: string, start: number, quote: '"' | "'"): ValueExtent => {
  const isEscaped = (at: number): boolean =>
    quote === '"' ? line[at] === '\\' : line.startsWith("''", at);
  for (let at = start; at < line.length; at += isEscaped(at) ? 2 : 1)
    if (line[at] === quote && !isEscaped(at)) return { start, end: at };
  return { start, end: line.length, until: quote };
};

const OPENINGS: readonly (readonly [
  string,
  (line: string, start: number) => ValueExtent | undefined,
])[] = [
  ['"""', (line, start) => closedBy(line, start, '"""')],
  ["'''", (line, start) => closedBy(line, start, "'''")],
  ['\\"', (line, start) => closedBy(line, start, '\\"')],
  ['"', (line, start) => inQuotes(line, start, '"')],
  ["'", (line, start) => inQuotes(line, start, "'")],
  ['[', (line, start) => closedBy(line, start, ']')],
  ['{', () => undefined],
];

/** How a name and its value are written. */
export type ValueForm = 'rest-of-line' | 'after-colon' | 'word';

const PLACEHOLDER = /\$\{(?:env|file):[\w./-]+\}/uy;

const ENDS: Readonly<Record<ValueForm, RegExp>> = {
  'rest-of-line': /$/gu,
  'after-colon': /["']|$/gu,
  word: /[\s"'&,;}\]]|$/gu,
};

/** Returns the place of the value that starts at a position; `undefined` where an object starts. */
export const valueAt = (line: string, start: number, form: ValueForm): ValueExtent | undefined => {
  const opening = OPENINGS.find(([text]) => line.startsWith(text, start));
  if (opening !== undefined) return opening[1](line, start + opening[0].length);
  const end = ENDS[form];
  // The bracket that ends a placeholder does not end the value.
  PLACEHOLDER.lastIndex = start;
  end.lastIndex = start + (PLACEHOLDER.exec(line)?.[0].length ?? 0);
  return { start, end: end.exec(line)?.index ?? line.length };
};
