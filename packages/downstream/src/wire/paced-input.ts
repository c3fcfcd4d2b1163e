import type { DeferredInput, TurnBudget } from './turn-budget.ts';

/** Maximum size of a part of a chunk, after which the time is compared with the budget. */
const SLICE_BYTES = 8 * 1024;

/** A stream of chunks. */
export interface PausableSource {
  pause(): void;
  resume(): void;
}

/** Receives the data of a source. */
export interface InputSink {
  /** Takes a part of a chunk. Returns `false` when no more data is needed. */
  push(slice: Buffer): boolean;
  /** Called after the last part, unless no more data is needed. */
  end(): void;
}

/** Passes on the chunks of one source within the budget of its server, and pauses the source meanwhile. */
export class PacedInput implements DeferredInput {
  readonly #budget: TurnBudget;
  readonly #source: PausableSource;
  readonly #sink: InputSink;
  #chunks: Buffer[] = [];
  #isPaused = false;
  #isEnding = false;
  #isOver = false;

  constructor(budget: TurnBudget, source: PausableSource, sink: InputSink) {
    this.#budget = budget;
    this.#source = source;
    this.#sink = sink;
  }

  /** Takes the next chunk. */
  push(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#chunks.push(chunk);
    if (!this.#isPaused) this.continue();
  }

  /** The source has ended. */
  end(): void {
    this.#isEnding = true;
    if (!this.#isPaused) this.#finish();
  }

  continue(): void {
    let now = performance.now();
    this.#budget.begin(now);
    while (this.#chunks.length > 0 && !this.#budget.isUsedUp) {
      const slice = this.#nextSlice();
      if (!this.#sink.push(slice)) {
        this.#isOver = true;
        this.#chunks = [];
      }
      const after = performance.now();
      this.#budget.spend(slice.length, after - now, after);
      now = after;
    }
    if (this.#chunks.length > 0) this.#pause();
    else this.#resume();
  }

  #nextSlice(): Buffer {
    const [first] = this.#chunks;
    if (first === undefined || first.length <= SLICE_BYTES) {
      this.#chunks.shift();
      return first ?? Buffer.alloc(0);
    }
    this.#chunks[0] = first.subarray(SLICE_BYTES);
    return first.subarray(0, SLICE_BYTES);
  }

  #pause(): void {
    if (!this.#isPaused) this.#source.pause();
    this.#isPaused = true;
    this.#budget.defer(this);
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#source.resume();
    if (this.#isEnding) this.#finish();
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#sink.end();
  }
}
