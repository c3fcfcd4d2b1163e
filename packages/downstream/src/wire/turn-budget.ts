/** Maximum time for the input of one server in one turn of the event loop, in milliseconds. One message may take longer. */
const TURN_MS = 4;

/** Maximum input of one server in one turn. It limits the work that messages cause after they were read. */
const TURN_BYTES = 16 * 1024;

/** After a pause of this length other work had its turn, in milliseconds. */
const RESET_MS = 1;

/** An input that waits for the next turn. */
export interface DeferredInput {
  /** Continues until its data or the budget is used up. */
  continue(): void;
}

/** The time and the bytes that the inputs of one server may use in one turn of the event loop, so that no server delays the calls to others. */
export class TurnBudget {
  readonly #waiting = new Set<DeferredInput>();
  #spentMs = 0;
  #spentBytes = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #isScheduled = false;

  get isUsedUp(): boolean {
    return this.#spentMs >= TURN_MS || this.#spentBytes >= TURN_BYTES;
  }

  /** Begins work at this time, in milliseconds. */
  begin(now: number): void {
    if (!this.#isScheduled && now - this.#lastAt >= RESET_MS) this.#reset();
  }

  /** Records work that ends at this time. */
  spend(bytes: number, ms: number, now: number): void {
    this.#spentBytes += bytes;
    this.#spentMs += ms;
    this.#lastAt = now;
  }

  /** Continues an input in a later turn. Inputs take turns. */
  defer(input: DeferredInput): void {
    this.#waiting.add(input);
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
    for (const input of this.#waiting) {
      if (this.isUsedUp) break;
      this.#waiting.delete(input);
      input.continue();
    }
    this.#isScheduled = false;
    const [next] = this.#waiting;
    if (next !== undefined) this.defer(next);
  }
}
