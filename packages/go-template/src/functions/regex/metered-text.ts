/** Thrown by {@link MeteredText} when its reads are used up, through an engine that knows of no bound. */
export class OutOfReads extends Error {}

/** How many reads are asked for at once. */
const BLOCK = 64;
/** Searching for a fixed part is that much faster than reading one by one. */
const SEARCHED_PER_READ = 16;

/**
 * A text that counts how often an engine looks at it: what the engine reads is what it works.
 * The engine asks for a string and calls these two methods of it.
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
