import { hasSecret, valueText, type ResolvedValue } from '../inputs/resolved-value.ts';
import type { PackageKind } from '../problems/install-kind.ts';
import type { InstallProblem } from '../problems/install-problem.ts';
import { RUNTIME_OPTIONS } from './runtime-options.ts';

/** The words for the program that runs a package. */
export interface CheckedRuntime {
  readonly words: readonly ResolvedValue[];
  readonly problems: readonly InstallProblem[];
}

/** A package and the words that its file has for the program that runs it. */
export interface RuntimeWords {
  readonly kind: PackageKind;
  readonly reference: string;
  readonly identifier: string;
  readonly words: readonly ResolvedValue[];
}

/** Reads the words of one command line, one option after another. */
class RuntimeReader {
  readonly words: ResolvedValue[] = [];
  readonly problems: InstallProblem[] = [];
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
    const { valued } = RUNTIME_OPTIONS[this.#of.kind];
    const equals = text.startsWith('--') ? text.indexOf('=') : -1;
    const name = equals === -1 ? text : text.slice(0, equals);
    const count = equals === -1 ? 2 : 1;
    if (!valued.has(name) || !this.#hasValue(count === 1 ? text.slice(equals + 1) : undefined))
      return this.#refuse(text);
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

  /** A user may accept the word, which is then validated with the whole command line. */
  #refuse(argument: string): number {
    const part = hasSecret(this.#of.words[this.#at] ?? []) ? '…' : argument;
    this.problems.push({ code: 'risk', risk: 'runtime', part });
    return this.#take(1);
  }
}

/** Returns the words that a registry sets for the program, without those that the gateway writes itself. Words that are not known are risks. */
export const checkRuntime = (of: RuntimeWords): CheckedRuntime => {
  const reader = new RuntimeReader(of);
  reader.read();
  const { words, problems } = reader;
  return { words, problems };
};
