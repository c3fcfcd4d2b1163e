import { isSecretLike } from './secret-values.ts';

const MASK = '…';

const REFERENCE = /\$\{[^}:]{0,200}(?::(?!-)[^}]{0,500})?\}/gu;
const SCHEME = /^(?:Bearer|Basic|Token)\s*$/iu;
const SECRET_PATH = /^["']?secrets\/[-._a-zA-Z0-9/]+["']?$/u;

/** Returns whether a value under a name is to be hidden. References to secrets are shown. */
const isHidden = (name: string, value: string): boolean => {
  const rest = value.replaceAll(REFERENCE, '');
  const isReference = rest !== value && (rest.trim() === '' || SCHEME.test(rest));
  return !isReference && !SECRET_PATH.test(value) && isSecretLike(name, value);
};

const PEM = /-----BEGIN [^-]*-----.*?(?:-----END [^-]*-----|$)/gu;
const WRITTEN_CREDENTIALS = /\b(Bearer|Basic)(\s+)(?!\$\{)[^\s"'\\,\]}]{6,}/giu;
/** Up to the last `@`: a password can contain one. */
const USER_OF_URL = /:\/\/[^\s/"']+@/gu;
/** Addresses to which each who knows them can write. */
const WEBHOOK =
  /(?<=:\/\/(?:hooks\.slack\.com|(?:[\w-]+\.)?discord(?:app)?\.com\/api(?:\/v\d+)?\/webhooks|[\w.-]+\.webhook\.office\.com)\/)[^\s"'<>]+/giu;
const WRITTEN_KNOWN_TOKEN =
  /(?<![A-Za-z0-9])(?:sk-|sk_|pk_live|rk_live|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|eyJ|npm_(?!config_|package_|lifecycle_)|pypi-|hf_|dop_v1_|shpat_|SG\.|lin_api_|ntn_)[A-Za-z0-9_.+/=-]{6,}/gu;
const WRITTEN_RANDOM =
  /(?<![A-Za-z0-9_]|sha\d{3}:)(?=[a-zA-Z_]*[0-9])(?=[0-9_]*[a-zA-Z])[A-Za-z0-9_]{32,}/gu;
const URL_TEXT = /\bhttps?:\/\/[^\s"'<>]+/giu;
const SEGMENT = /(?<=\/)(?=[A-Za-z_-]*[0-9])(?=[0-9_-]*[A-Za-z])[A-Za-z0-9_-]{24,}(?=[/?#]|$)/gu;

/** Returns a line without texts that are secrets by their form, whatever their names are. */
const withoutKnownSecrets = (line: string): string =>
  line
    .replaceAll(PEM, MASK)
    .replaceAll(WRITTEN_CREDENTIALS, `$1$2${MASK}`)
    .replaceAll(USER_OF_URL, `://${MASK}@`)
    .replaceAll(WEBHOOK, MASK)
    .replaceAll(WRITTEN_KNOWN_TOKEN, MASK)
    .replaceAll(URL_TEXT, (url) => url.replaceAll(SEGMENT, MASK))
    .replaceAll(WRITTEN_RANDOM, MASK);

/** A value in a line, and the text that ends it when it continues on later lines. */
interface ValueExtent {
  readonly start: number;
  readonly end: number;
  readonly until?: string;
}

const findValueEnd = (line: string, start: number, until: string): ValueExtent => {
  const end = line.indexOf(until, start);
  return end === -1 ? { start, end: line.length, until } : { start, end };
};

/** In double quotes a backslash escapes, in single quotes of YAML a second quote does. */
const findQuoteEnd = (line: string, start: number, quote: '"' | "'"): ValueExtent => {
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
  ['"""', (line, start) => findValueEnd(line, start, '"""')],
  ["'''", (line, start) => findValueEnd(line, start, "'''")],
  ['\\"', (line, start) => findValueEnd(line, start, '\\"')],
  ['"', (line, start) => findQuoteEnd(line, start, '"')],
  ["'", (line, start) => findQuoteEnd(line, start, "'")],
  ['[', (line, start) => findValueEnd(line, start, ']')],
  ['{', () => undefined],
];

type ValueForm = 'rest-of-line' | 'after-colon' | 'word';

const PLACEHOLDER = /\$\{(?:env|file):[\w./-]+\}/uy;

const ENDS: Readonly<Record<ValueForm, RegExp>> = {
  'rest-of-line': /$/gu,
  'after-colon': /["']|$/gu,
  word: /[\s"'&,;}\]]|$/gu,
};

/** Returns the place of the value that starts at a position; `undefined` where an object starts. */
const findValue = (line: string, start: number, form: ValueForm): ValueExtent | undefined => {
  const opening = OPENINGS.find(([text]) => line.startsWith(text, start));
  if (opening !== undefined) return opening[1](line, start + opening[0].length);
  const end = ENDS[form];
  // The bracket that ends a placeholder does not end the value.
  PLACEHOLDER.lastIndex = start;
  end.lastIndex = start + (PLACEHOLDER.exec(line)?.[0].length ?? 0);
  return { start, end: end.exec(line)?.index ?? line.length };
};

/** The fields that hold the name of a variable or a header whose value is in a field `value`. */
const NAME_FIELD = /^(?:name|key|header|variable)$/iu;
const VALUE_FIELD = /^value$/iu;
const FIRST_WORD = /^["']?([\w.-]+)/u;
/** A name after its value: `"value":"x","name":"TOKEN"`. */
const NAME_AFTER_VALUE =
  /^(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^,\s]{1,2000})\s*,\s*["']?(?:name|key|header|variable)["']?\s*[:=]\s*["']?([\w.-]+)/iu;

const LINES = 3;

/** The names of values that are written as two fields: `{"name":"TOKEN","value":"x"}`, `- name: TOKEN` and `value: x`. */
class NamedValues {
  #name: string | undefined;
  #lines = 0;

  nextLine(): void {
    if (this.#lines > LINES) this.#name = undefined;
    this.#lines += 1;
  }

  /** Returns the names of the value of a field. The rest of the line starts with the value. */
  listNames(field: string, rest: string): readonly string[] {
    if (NAME_FIELD.test(field)) {
      this.#name = FIRST_WORD.exec(rest)?.[1];
      this.#lines = 1;
      return [field];
    }
    if (!VALUE_FIELD.test(field)) return [field];
    const names = [this.#name ?? '', NAME_AFTER_VALUE.exec(rest)?.[1] ?? ''];
    this.#name = undefined;
    return names;
  }
}

const PORTS = /^[\d.:-]+(?:\/\w+)?$/u;
const PATH_OR_PACKAGE = /^[@./~]|\//u;
const PROGRAM = /\b(?:npx|npm|pnpm|yarn|bunx?|mkdir|ssh|scp|docker|podman)\b/u;

/** The user and the password of `-u user:password`; no user and group, no path of Windows and no URL. */
const USER_AND_PASSWORD = /^(?!\d+:\d+$)(?![A-Za-z]:[\\/])(?!\w+:\/\/)[^:\s]+:\S/u;

/** Returns whether the value of `-p` or `-u` looks like a password. The text before the option can name the program. */
const isPasswordOfOption = (name: string, value: string, before: string): boolean => {
  if (name === 'u') return USER_AND_PASSWORD.test(value);
  return (
    name === 'p' && !PORTS.test(value) && !PATH_OR_PACKAGE.test(value) && !PROGRAM.test(before)
  );
};

/** A name and the text before its value: `name: `, `"name":`, `NAME=`, also inside a quoted text. */
const NAME = /(?<![\w.-])([\w.-]+)(\\?["'])?\s*([:=])(?!\/\/)\s*/gu;
const STARTS_WITH_NAME = /^\s*(?:- +)?["']?[\w.-]+["']?\s*[:=](?:\s|$)/u;
/** An option and the text before its value: `--name value`, `"--name", "value"`. */
const OPTION = /(?<![\w.-])--?([A-Za-z][\w.-]*)["']?[\s,]+(?=[^\s,])/gu;
const OPTION_AT_END = /(?<![\w.-])--?([A-Za-z][\w.-]*)["']?,?$/u;
/** A whole value that names a variable or a file, and has no default. */
const IS_PLACEHOLDER = /^["']?\$\{(?:env|file):[\w./-]+\}["']?,?$/u;
const IS_OPTION = /^["']?-/u;
const BEFORE_OPTION = 200;
const BEFORE_FIRST_NAME = /^\s*(?:- +)?(?:export +)?$/u;
const BLOCK = /^[|>][-+0-9]*\s*(?:#.*)?$/u;
const PEM_BEGIN = /-----BEGIN (?!.*-----END )/u;

const REFERENCE_START = /^\s*(?:- +)?\w*SecretRef:$|^\s*(?:- +)?secretKeyRef:$/u;
const REFERENCE_FIELD = /^\s*(?:name|key|namespace|clientIdKey|clientSecretKey):\s/u;

/** Any value that looks plain under no name. */
const SAMPLE = 'value';
const isSecretName = (name: string): boolean => isSecretLike(name, SAMPLE);

const canBeSecretOption = (name: string): boolean =>
  isSecretName(name) || name === 'p' || name === 'u';

/** A secret that continues on the next lines. */
type Open =
  | { readonly kind: 'until'; readonly text: string }
  | { readonly kind: 'deeper'; readonly indent: number; readonly isBlock: boolean }
  | { readonly kind: 'argument'; readonly option: string };

const countIndent = (line: string): number => line.length - line.trimStart().length;

const maskLine = (line: string): string =>
  line.trim() === '' ? line : line.replace(/^(\s*(?:- +)?).*$/u, `$1${MASK}`);

/** Hides secrets line by line; a secret can have several lines. */
class Masker {
  #open: Open | undefined;
  /** The indentation of the reference to a Secret around the line. */
  #reference: number | undefined;
  readonly #named = new NamedValues();

  next(line: string): string {
    this.#named.nextLine();
    const open = this.#open;
    if (open === undefined && this.#isReference(line)) return withoutKnownSecrets(line);
    if (open === undefined) return this.#maskLine(line);
    switch (open.kind) {
      case 'until':
        return this.#until(line, open.text);
      case 'deeper':
        return this.#deeper(line, open);
      case 'argument':
        return this.#argument(line, open.option);
    }
  }

  /** Names of Secrets and of their keys are no secrets. */
  #isReference(line: string): boolean {
    if (this.#reference !== undefined && countIndent(line) > this.#reference)
      return REFERENCE_FIELD.test(line);
    this.#reference = REFERENCE_START.test(line) ? countIndent(line) : undefined;
    return this.#reference !== undefined;
  }

  #until(line: string, text: string): string {
    const end = line.indexOf(text);
    if (end === -1) return maskLine(line);
    this.#open = undefined;
    const rest = this.#maskLine(line.slice(end));
    return (line.slice(0, end).trim() === '' ? line.slice(0, end) : MASK) + rest;
  }

  #deeper(line: string, { indent, isBlock }: Extract<Open, { kind: 'deeper' }>): string {
    const own = countIndent(line);
    const isItem = !isBlock && own === indent && line.trimStart().startsWith('- ');
    const isInside = line.trim() === '' || own > indent || isItem;
    if (isInside && (isBlock || !STARTS_WITH_NAME.test(line))) return maskLine(line);
    this.#open = undefined;
    return this.#maskLine(line);
  }

  #argument(line: string, option: string): string {
    if (line.trim() === '') return line;
    this.#open = undefined;
    const value = line.trimStart().replace(/^- +/u, '');
    if (IS_PLACEHOLDER.test(value)) return line;
    const text = value.replace(/^["']|["']?,?$/gu, '');
    const isPlain = !isSecretName(option) && !isPasswordOfOption(option, text, '');
    return isPlain || IS_OPTION.test(value) || /^[\]}]/u.test(value)
      ? this.#maskLine(line)
      : line.replace(/^(\s*(?:- +)?).*?(,?)$/u, `$1"${MASK}"$2`);
  }

  #maskLine(line: string): string {
    const named = this.#withoutValues(line, NAME, (match) => this.#findForm(line, match));
    const text = this.#withoutValues(named, OPTION, () => 'word');
    const option = OPTION_AT_END.exec(text.trimEnd())?.[1];
    if (this.#open === undefined && option !== undefined && canBeSecretOption(option))
      this.#open = { kind: 'argument', option };
    if (PEM_BEGIN.test(line)) this.#open = { kind: 'until', text: '-----END' };
    return withoutKnownSecrets(text);
  }

  #findForm(line: string, { index, 2: quote, 3: separator }: RegExpExecArray): ValueForm {
    if (quote === undefined && BEFORE_FIRST_NAME.test(line.slice(0, index).slice(-200)))
      return 'rest-of-line';
    return separator === ':' && quote === undefined ? 'after-colon' : 'word';
  }

  #withoutValues(
    line: string,
    pattern: RegExp,
    findForm: (match: RegExpExecArray) => ValueForm,
  ): string {
    const parts: string[] = [];
    let end = 0;
    for (const match of line.matchAll(pattern)) {
      const start = match.index + match[0].length;
      const name = match.index < end ? undefined : this.#nameAt(line, match, pattern);
      if (name === undefined) continue;
      const form = findForm(match);
      const value = findValue(line, start, form);
      if (value === undefined) continue;
      const text = line.slice(value.start, value.end);
      if (isSecretName(name)) this.#continue(line, value, form);
      const before = line.slice(Math.max(0, match.index - BEFORE_OPTION), match.index);
      if (!(isSecretName(name) ? isHidden(name, text) : isPasswordOfOption(name, text, before)))
        continue;
      parts.push(line.slice(end, value.start), MASK);
      end = value.end;
    }
    return parts.join('') + line.slice(end);
  }

  /** Returns a name whose value can be a secret. */
  #nameAt(line: string, match: RegExpExecArray, pattern: RegExp): string | undefined {
    const { index, 0: all, 1: name = '' } = match;
    const rest = line.slice(index + all.length);
    if (pattern === OPTION)
      return !IS_OPTION.test(rest.slice(0, 2)) && canBeSecretOption(name) ? name : undefined;
    return this.#named.listNames(name, rest).find(isSecretName);
  }

  /** Remembers that a secret continues on the next line. */
  #continue(line: string, { start, end, until }: ValueExtent, form: ValueForm): void {
    if (until !== undefined) this.#open = { kind: 'until', text: until };
    else if (form === 'rest-of-line' || start === line.length)
      this.#open = {
        kind: 'deeper',
        indent: countIndent(line),
        isBlock: BLOCK.test(line.slice(start, end)),
      };
  }
}

/**
 * Returns the lines of a configuration in JSON, YAML or TOML, or of a command line, with `…` in place of values that look like secrets, for
 * output. It may hide more than a secret. One line of the result per line of the text.
 */
export const maskLines = (lines: readonly string[]): readonly string[] => {
  const masker = new Masker();
  return lines.map((line) => masker.next(line));
};
