import {
  isHidden,
  MASK,
  valueAt,
  withoutKnownSecrets,
  type ValueExtent,
  type ValueForm,
} from './masked-value.ts';
import { NamedValues } from './named-values.ts';
import { looksSecret } from './secret-values.ts';
import { isPasswordOfOption } from './short-options.ts';

/** A name and the text before its value: `name: `, `"name":`, `NAME=`, also inside a quoted text. */
const NAME = /(?<![\w.-])([\w.-]+)(\\?["'])?\s*([:=])(?!\/\/)\s*/gu;
const STARTS_WITH_NAME = /^\s*(?:- +)?["']?[\w.-]+["']?\s*[:=](?:\s|$)/u;
/** An option and the text before its value: `--name value`, `"--name", "value"`. */
const OPTION = /(?<![\w.-])--?([A-Za-z][\w.-]*)["']?[\s,]+(?=[^\s,])/gu;
const OPTION_AT_END = /(?<![\w.-])--?([A-Za-z][\w.-]*)["']?,?$/u;
/** A whole value that names a variable or a file, and has no default. */
const IS_PLACEHOLDER = /^["']?\$\{(?:env|file):[\w./-]+\}["']?,?$/u;
const IS_OPTION = /^["']?-/u;
/** The text before an option that can name its program, in characters. */
const BEFORE_OPTION = 200;
const BEFORE_FIRST_NAME = /^\s*(?:- +)?(?:export +)?$/u;
const BLOCK = /^[|>][-+0-9]*\s*(?:#.*)?$/u;
const PEM_BEGIN = /-----BEGIN (?!.*-----END )/u;

const REFERENCE_START = /^\s*(?:- +)?\w*SecretRef:$|^\s*(?:- +)?secretKeyRef:$/u;
const REFERENCE_FIELD = /^\s*(?:name|key|namespace|clientIdKey|clientSecretKey):\s/u;

/** Any value that looks plain under no name. */
const SAMPLE = 'value';
const isSecretName = (name: string): boolean => looksSecret(name, SAMPLE);

const canBeSecretOption = (name: string): boolean =>
  isSecretName(name) || name === 'p' || name === 'u';

/** A secret that continues on the next lines. */
type Open =
  | { readonly kind: 'until'; readonly text: string }
  | { readonly kind: 'deeper'; readonly indent: number; readonly isBlock: boolean }
  | { readonly kind: 'argument'; readonly option: string };

const indentOf = (line: string): number => line.length - line.trimStart().length;

const maskedWhole = (line: string): string =>
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
    if (open === undefined) return this.#masked(line);
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
    if (this.#reference !== undefined && indentOf(line) > this.#reference)
      return REFERENCE_FIELD.test(line);
    this.#reference = REFERENCE_START.test(line) ? indentOf(line) : undefined;
    return this.#reference !== undefined;
  }

  #until(line: string, text: string): string {
    const end = line.indexOf(text);
    if (end === -1) return maskedWhole(line);
    this.#open = undefined;
    const rest = this.#masked(line.slice(end));
    return (line.slice(0, end).trim() === '' ? line.slice(0, end) : MASK) + rest;
  }

  #deeper(line: string, { indent, isBlock }: Extract<Open, { kind: 'deeper' }>): string {
    const own = indentOf(line);
    const isItem = !isBlock && own === indent && line.trimStart().startsWith('- ');
    const isInside = line.trim() === '' || own > indent || isItem;
    if (isInside && (isBlock || !STARTS_WITH_NAME.test(line))) return maskedWhole(line);
    this.#open = undefined;
    return this.#masked(line);
  }

  #argument(line: string, option: string): string {
    if (line.trim() === '') return line;
    this.#open = undefined;
    const value = line.trimStart().replace(/^- +/u, '');
    if (IS_PLACEHOLDER.test(value)) return line;
    const text = value.replace(/^["']|["']?,?$/gu, '');
    const isPlain = !isSecretName(option) && !isPasswordOfOption(option, text, '');
    return isPlain || IS_OPTION.test(value) || /^[\]}]/u.test(value)
      ? this.#masked(line)
      : line.replace(/^(\s*(?:- +)?).*?(,?)$/u, `$1"${MASK}"$2`);
  }

  #masked(line: string): string {
    const named = this.#withoutValues(line, NAME, (match) => this.#formOf(line, match));
    const text = this.#withoutValues(named, OPTION, () => 'word');
    const option = OPTION_AT_END.exec(text.trimEnd())?.[1];
    if (this.#open === undefined && option !== undefined && canBeSecretOption(option))
      this.#open = { kind: 'argument', option };
    if (PEM_BEGIN.test(line)) this.#open = { kind: 'until', text: '-----END' };
    return withoutKnownSecrets(text);
  }

  #formOf(line: string, { index, 2: quote, 3: separator }: RegExpExecArray): ValueForm {
    if (quote === undefined && BEFORE_FIRST_NAME.test(line.slice(0, index).slice(-200)))
      return 'rest-of-line';
    return separator === ':' && quote === undefined ? 'after-colon' : 'word';
  }

  #withoutValues(
    line: string,
    pattern: RegExp,
    formOf: (match: RegExpExecArray) => ValueForm,
  ): string {
    const parts: string[] = [];
    let end = 0;
    for (const match of line.matchAll(pattern)) {
      const start = match.index + match[0].length;
      const name = match.index < end ? undefined : this.#nameAt(line, match, pattern);
      if (name === undefined) continue;
      const form = formOf(match);
      const value = valueAt(line, start, form);
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
    return this.#named.namesOf(name, rest).find(isSecretName);
  }

  /** Remembers that a secret continues on the next line. */
  #continue(line: string, { start, end, until }: ValueExtent, form: ValueForm): void {
    if (until !== undefined) this.#open = { kind: 'until', text: until };
    else if (form === 'rest-of-line' || start === line.length)
      this.#open = {
        ...{ kind: 'deeper', indent: indentOf(line) },
        isBlock: BLOCK.test(line.slice(start, end)),
      };
  }
}

/**
 * Returns the lines of a configuration in JSON, YAML or TOML, or of a command line, with `…` in place of values that look like secrets, for
 * output. It may hide more than a secret. One line of the result per line of the text.
 */
export const maskedLines = (lines: readonly string[]): readonly string[] => {
  const masker = new Masker();
  return lines.map((line) => masker.next(line));
};
