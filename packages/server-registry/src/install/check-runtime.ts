import { hasSecret, valueText, type ResolvedValue } from '../inputs/resolved-value.ts';
import { PROGRAMS, type PackageKind } from '../problems/install-kind.ts';
import type { InstallNote, InstallProblem } from '../problems/install-problem.ts';
import { RUNTIME_OPTIONS } from './runtime-options.ts';

/** The words for the program that runs a package. */
export interface CheckedRuntime {
  readonly words: readonly ResolvedValue[];
  readonly problems: readonly InstallProblem[];
  readonly notes: readonly InstallNote[];
}

/** A package and the words that its file has for the program that runs it. */
export interface RuntimeWords {
  readonly kind: PackageKind;
  readonly reference: string;
  readonly identifier: string;
  readonly words: readonly ResolvedValue[];
}

const shownText = (words: readonly ResolvedValue[]): string =>
  words.map((word) => (hasSecret(word) ? '…' : valueText(word))).join(' ');

/** Reads the words of one command line, one option after another. */
class RuntimeReader {
  readonly words: ResolvedValue[] = [];
  readonly problems: InstallProblem[] = [];
  readonly notes: InstallNote[] = [];
  readonly #of: RuntimeWords;
  #at = 0;

  constructor(of: RuntimeWords) {
    this.#of = of;
  }

  read(): void {
    const { words, kind } = this.#of;
    if (RUNTIME_OPTIONS[kind].commands.has(this.#text(0))) this.#at = 1;
    while (this.#at < words.length) this.#at += this.#readOption();
  }

  #text(at: number): string {
    return valueText(this.#of.words[at] ?? []);
  }

  /** @returns the number of words that were read */
  #readOption(): number {
    const { kind, reference, identifier } = this.#of;
    const { own, flags } = RUNTIME_OPTIONS[kind];
    const text = this.#text(this.#at);
    if (own.has(text) || text === reference || text === identifier) return 1;
    return flags.has(text) ? this.#take(1) : this.#readValued(text);
  }

  #readValued(text: string): number {
    const { valued, access } = RUNTIME_OPTIONS[this.#of.kind];
    const equals = text.startsWith('--') ? text.indexOf('=') : -1;
    const name = equals === -1 ? text : text.slice(0, equals);
    const count = equals === -1 ? 2 : 1;
    const isKnown = valued.has(name) || access.has(name);
    if (!isKnown || !this.#hasValue(count === 1 ? text.slice(equals + 1) : undefined))
      return this.#refuse(text);
    if (access.has(name)) this.#note(count);
    return this.#take(count);
  }

  /** The word after an option without a value of its own is its value unless it is an option. */
  #hasValue(own: string | undefined): boolean {
    const { words, kind } = this.#of;
    const next = this.#at + 1;
    const value = own ?? this.#text(next);
    if (own === undefined && (next >= words.length || value.startsWith('-'))) return false;
    return RUNTIME_OPTIONS[kind].values?.test(value) !== false;
  }

  #take(count: number): number {
    this.words.push(...this.#of.words.slice(this.#at, this.#at + count));
    return count;
  }

  #note(count: number): void {
    const option = shownText(this.#of.words.slice(this.#at, this.#at + count));
    this.notes.push({ code: 'container-access', option });
  }

  #refuse(argument: string): number {
    const shown = hasSecret(this.#of.words[this.#at] ?? []) ? '…' : argument;
    const program = PROGRAMS[this.#of.kind];
    this.problems.push({ code: 'runtime-argument', argument: shown, program });
    return 1;
  }
}

/** Returns the words that a registry sets for the program, without those that the gateway writes itself. Words that are not permitted are problems. */
export const checkRuntime = (of: RuntimeWords): CheckedRuntime => {
  const reader = new RuntimeReader(of);
  reader.read();
  const { words, problems, notes } = reader;
  return { words, problems, notes };
};
