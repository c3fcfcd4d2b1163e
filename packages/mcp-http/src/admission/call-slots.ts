/** The number of calls of one resource that run, and that wait, at one moment. */
export interface SlotLimits {
  readonly maxRunning: number;
  readonly maxQueued: number;
}

/** Removes a waiting call from its queue; without effect once it has started. */
export type Withdraw = () => void;

/**
 * The slots of one resource with a bounded queue. A released slot goes to the groups of waiting calls in turn, and to the oldest
 * call of a group, so that a group with many waiting calls does not delay the others.
 */
export class CallSlots {
  readonly #limits: SlotLimits;
  readonly #groups = new Map<string, Set<() => void>>();
  #running = 0;
  #queued = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#queued;
  }

  /** Number of calls that can be started or queued now. */
  get capacity(): number {
    const { maxRunning, maxQueued } = this.#limits;
    return maxRunning - this.#running + maxQueued - this.#queued;
  }

  /** Takes a slot. Returns `false` when none is free. */
  take(): boolean {
    if (this.#running >= this.#limits.maxRunning) return false;
    this.#running += 1;
    return true;
  }

  /**
   * Queues a call until a slot is released to it.
   *
   * @param start called with the slot taken
   * @returns `undefined` when the queue is full
   */
  wait(group: string, start: () => void): Withdraw | undefined {
    if (this.#queued >= this.#limits.maxQueued) return undefined;
    const waiting = this.#groups.get(group) ?? new Set();
    this.#groups.set(group, waiting);
    waiting.add(start);
    this.#queued += 1;
    return () => {
      if (this.#remove(group, start) && waiting.size === 0) this.#groups.delete(group);
    };
  }

  /** Returns a slot, which starts the next waiting call. */
  release(): void {
    this.#running -= 1;
    const [next] = this.#groups;
    if (next === undefined) return;
    const [group, waiting] = next;
    // The group continues after all others.
    this.#groups.delete(group);
    const [start] = waiting;
    if (start === undefined) return;
    this.#remove(group, start, waiting);
    if (waiting.size > 0) this.#groups.set(group, waiting);
    this.#running += 1;
    start();
  }

  #remove(group: string, start: () => void, waiting = this.#groups.get(group)): boolean {
    const isRemoved = waiting?.delete(start) === true;
    if (isRemoved) this.#queued -= 1;
    return isRemoved;
  }
}
