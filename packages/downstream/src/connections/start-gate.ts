/** Frees a slot; further calls have no effect. */
type Leave = () => void;

interface Waiting {
  readonly isRetry: boolean;
  readonly admit: () => void;
}

const LEAST_USE_MS = 1;

const MAX_REMEMBERED = 1_000;

/** Limits concurrent starts. Holders with the fewest slots come first, then those with the least slot time, then the earliest, so that no holder starves. */
export class StartGate {
  readonly #now: () => number;
  #free: number;
  #freeForRetries: number;
  /** By holder, the latest admission last. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  readonly #occupied = new Map<string, number>();
  /** Slot time by holder, as in start-time fair queueing: an absent holder does not accumulate a claim. */
  readonly #used = new Map<string, number>();
  #least = 0;

  /** A quarter of the slots is reserved for servers that did not fail, so that failing servers never block others. */
  constructor(slots: number, now: () => number) {
    this.#free = slots;
    this.#freeForRetries = slots - Math.floor(slots / 4);
    this.#now = now;
  }

  /** Resolves with the release of the slot when one is free; with `undefined` when the signal aborts first. */
  enter(holder: string, isRetry: boolean, signal: AbortSignal): Promise<Leave | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    if (this.#isOpenTo(isRetry)) return Promise.resolve(this.#occupy(holder, isRetry));
    return new Promise((resolve) => {
      const withdraw = (): void => {
        this.#withdraw(holder, waiting);
        resolve(undefined);
      };
      const waiting: Waiting = {
        isRetry,
        admit: () => {
          this.#withdraw(holder, waiting);
          signal.removeEventListener('abort', withdraw);
          resolve(this.#occupy(holder, isRetry));
        },
      };
      this.#waiting.set(holder, (this.#waiting.get(holder) ?? new Set()).add(waiting));
      signal.addEventListener('abort', withdraw, { once: true });
    });
  }

  forget(holder: string): void {
    this.#used.delete(holder);
  }

  #isOpenTo(isRetry: boolean): boolean {
    return this.#free > 0 && (!isRetry || this.#freeForRetries > 0);
  }

  #computeUse(holder: string): number {
    return Math.max(this.#least, this.#used.get(holder) ?? 0);
  }

  #occupy(holder: string, isRetry: boolean): Leave {
    const since = this.#now();
    this.#least = this.#computeUse(holder);
    this.#remember(holder, this.#least);
    this.#occupied.set(holder, this.#countSlots(holder) + 1);
    this.#free -= 1;
    if (isRetry) this.#freeForRetries -= 1;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#free += 1;
      if (isRetry) this.#freeForRetries += 1;
      this.#vacate(holder);
      const used = this.#used.get(holder) ?? this.#least;
      this.#remember(holder, used + Math.max(LEAST_USE_MS, this.#now() - since));
      this.#findNext()?.admit();
    };
  }

  #countSlots(holder: string): number {
    return this.#occupied.get(holder) ?? 0;
  }

  #vacate(holder: string): void {
    const left = this.#countSlots(holder) - 1;
    if (left > 0) this.#occupied.set(holder, left);
    else this.#occupied.delete(holder);
  }

  #remember(holder: string, used: number): void {
    this.#used.delete(holder);
    this.#used.set(holder, used);
    const [oldest] = this.#used.keys();
    if (this.#used.size > MAX_REMEMBERED && oldest !== undefined) this.#used.delete(oldest);
  }

  #findNext(): Waiting | undefined {
    let next: Waiting | undefined;
    let fewest = Infinity;
    let least = Infinity;
    for (const [holder, all] of this.#waiting) {
      const occupied = this.#countSlots(holder);
      const used = this.#computeUse(holder);
      if (occupied > fewest || (occupied === fewest && used >= least)) continue;
      for (const waiting of all)
        if (this.#isOpenTo(waiting.isRetry)) {
          next = waiting;
          fewest = occupied;
          least = used;
          break;
        }
    }
    return next;
  }

  #withdraw(holder: string, waiting: Waiting): void {
    const all = this.#waiting.get(holder);
    all?.delete(waiting);
    this.#waiting.delete(holder);
    if (all !== undefined && all.size > 0) this.#waiting.set(holder, all);
  }
}
