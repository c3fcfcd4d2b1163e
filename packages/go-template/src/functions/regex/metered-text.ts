/** Thrown by {@link MeteredText} when its reads are spent, because the engine has no limit of its own. */
export class OutOfReads extends Error {}

/** The number of reads that are charged at once. */
const BLOCK = 64;
/** Searching for a fixed part is that much faster than reading one by one. */
const SEARCHED_PER_READ = 16;

/**
 * A text that counts its reads by an engine: the work of the engine is proportional to them. The engine expects a string and
 * calls these two methods of it.
 */
export class MeteredText extends String {
  // Reading from here is several times faster than through `super`.
  readonly #text: string;
  readonly #spend: (reads: number) => boolean;
  #left = 0;

  /** @param spend asked for more reads; false ends the search with {@link OutOfReads}. */
  constructor(text: string, spend: (reads: number) => boolean) {
    super(text);
    this.#text = text;
    this.#spend = spend;
  }

  override charCodeAt(index: number): number {
    if (this.#left <= 0) this.#refill(BLOCK);
    this.#left -= 1;
    return this.#text.charCodeAt(index);
  }

  override indexOf(part: string, from = 0): number {
    const found = this.#text.indexOf(part, from);
    const searched = (found < 0 ? this.length : found) - from;
    this.#left -= Math.ceil(Math.max(0, searched) / SEARCHED_PER_READ);
    if (this.#left < 0) this.#refill(BLOCK - this.#left);
    return found;
  }

  #refill(reads: number): void {
    if (!this.#spend(reads)) throw new OutOfReads();
    this.#left += reads;
  }
}
