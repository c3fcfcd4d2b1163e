/** Minimum interval between two reports, in milliseconds. */
const INTERVAL_MS = 500;

/** The last line of output of a starting server. */
export class StartProgress {
  readonly #onChange: () => void;
  #line: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param onChange called after changes, at most once per interval */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get line(): string | undefined {
    return this.#line;
  }

  take(line: string): void {
    if (line === '') return;
    this.#line = line;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#onChange();
    }, INTERVAL_MS).unref();
  }

  /** Ends the progress of an attempt. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#line = undefined;
  }
}
