import type { Readable } from 'node:stream';

/** Maximum time for the input of one server in one turn of the event loop, in milliseconds. One message may take longer. */
const TURN_MS = 4;

/** Maximum input of one server in one turn. It limits the work that messages cause after they were read. */
const TURN_BYTES = 16 * 1024;

/** After a pause of this length other work had its turn, in milliseconds. */
const RESET_MS = 1;

/** The time and the bytes that the inputs of one server may use in one turn of the event loop, so that no server delays the calls to others. */
export class InputBudget {
  /** Waiting inputs in turn. Not a `Set`, which would retain them. */
  readonly #waiting: PacedInput[] = [];
  #spentMs = 0;
  #spentBytes = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #isScheduled = false;

  get isUsedUp(): boolean {
    return this.#spentMs >= TURN_MS || this.#spentBytes >= TURN_BYTES;
  }

  begin(now: number): void {
    if (!this.#isScheduled && now - this.#lastAt >= RESET_MS) this.#reset();
  }

  spend(bytes: number, ms: number, now: number): void {
    this.#spentBytes += bytes;
    this.#spentMs += ms;
    this.#lastAt = now;
  }

  /** Continues an input in a later turn. Inputs take turns. */
  defer(input: PacedInput): void {
    this.#waiting.push(input);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#turn());
  }

  #reset(): void {
    this.#spentMs = 0;
    this.#spentBytes = 0;
  }

  #turn(): void {
    this.#reset();
    while (!this.isUsedUp && this.#waiting.length > 0) this.#waiting.shift()?.continue();
    this.#isScheduled = false;
    if (this.#waiting.length > 0) this.#schedule();
  }
}

/** Maximum size of a part of a chunk, after which the time is compared with the budget. */
const SLICE_BYTES = 8 * 1024;

export interface PausableSource {
  pause(): void;
  resume(): void;
}

interface InputSink {
  /** Takes a part of a chunk. Returns `false` when no more data is needed. */
  push(slice: Buffer): boolean;
  end(): void;
}

/** Passes on the chunks of one source within the budget of its server, and pauses the source meanwhile. */
export class PacedInput {
  readonly #budget: InputBudget;
  readonly #source: PausableSource;
  readonly #sink: InputSink;
  #chunks: Buffer[] = [];
  #isPaused = false;
  #isEnding = false;
  #isOver = false;

  constructor(budget: InputBudget, source: PausableSource, sink: InputSink) {
    this.#budget = budget;
    this.#source = source;
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#chunks.push(chunk);
    if (!this.#isPaused) this.continue();
  }

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

/** Reads a stream of a child to its end, within the budget of the server. After `take` returns `false` the rest is discarded. */
export const readPaced = (
  stream: Readable,
  budget: InputBudget,
  take: (slice: Buffer) => boolean,
): void => {
  const source = { pause: () => void stream.pause(), resume: () => void stream.resume() };
  const input = new PacedInput(budget, source, { push: take, end: () => undefined });
  stream.on('data', (chunk: Buffer) => input.push(chunk));
};
