/** What one entry of the journal takes besides what it holds. */
const ENTRY_BYTES = 500;

/**
 * How much a run may hold until it ends: its results stay, and so does what it sent. Bytes are about those of memory. Once it
 * is full it stays full, and the run ends whatever its steps tolerate.
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

  /** Why the run must end. */
  get text(): string {
    return `the run holds more than the ${String(this.#size)} bytes of arguments and results allowed`;
  }

  /** Makes room for one thing more; false when there is none. */
  reserve(bytes: number): boolean {
    if (!this.isFull) this.#left -= bytes;
    return !this.isFull;
  }

  /** Makes room for an entry of the journal. */
  reserveEntry(bytes: number): boolean {
    return this.reserve(ENTRY_BYTES + bytes);
  }
}
