/** The size of a step entry without its data. */
const ENTRY_BYTES = 500;

/**
 * The memory budget of a run: its arguments and results are retained until it ends. Bytes are estimates of memory. Once the
 * budget is exceeded it stays exceeded, and the run ends even if its steps allow failures.
 */
export class MemoryBudget {
  readonly #size: number;
  #left: number;

  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  get isFull(): boolean {
    return this.#left < 0;
  }

  /** The reason that the run must end. */
  get text(): string {
    return `the run holds more than the ${String(this.#size)} bytes of arguments and results allowed`;
  }

  /** Reserves memory; returns false when the budget is exceeded. */
  reserve(bytes: number): boolean {
    if (!this.isFull) this.#left -= bytes;
    return !this.isFull;
  }

  /** Reserves memory for a step entry. */
  reserveEntry(bytes: number): boolean {
    return this.reserve(ENTRY_BYTES + bytes);
  }
}
