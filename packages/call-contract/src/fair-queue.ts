/** The place of work in a {@link FairQueue}. */
export interface Turn {
  /** The user that the work is for. */
  readonly user: string;
  /** The run of a workflow that the work belongs to. The work of a user without one takes turns as one run. */
  readonly run?: object | undefined;
}

/** Users that had a turn, and whose place is remembered. */
const MAX_REMEMBERED = 1000;

/** The waiting work of one user: its runs in turn, and the oldest work of a run. */
class RunTurns<Item> {
  readonly #runs = new Map<object, Set<Item>>();
  readonly #withoutRun = {};

  add(item: Item, run: object = this.#withoutRun): void {
    const waiting = this.#runs.get(run);
    if (waiting === undefined) this.#runs.set(run, new Set([item]));
    else waiting.add(item);
  }

  hasReady(isReady: (item: Item) => boolean): boolean {
    for (const waiting of this.#runs.values())
      for (const item of waiting) if (isReady(item)) return true;
    return false;
  }

  take(isReady: (item: Item) => boolean): Item | undefined {
    for (const [run, waiting] of this.#runs)
      for (const item of waiting) {
        if (!isReady(item)) continue;
        this.#runs.delete(run);
        waiting.delete(item);
        // A run with more work waits for a turn of all others.
        if (waiting.size > 0) this.#runs.set(run, waiting);
        return item;
      }
    return undefined;
  }

  remove(item: Item, run: object = this.#withoutRun): boolean {
    const waiting = this.#runs.get(run);
    const isRemoved = waiting?.delete(item) === true;
    if (waiting?.size === 0) this.#runs.delete(run);
    return isRemoved;
  }

  get isEmpty(): boolean {
    return this.#runs.size === 0;
  }
}

/**
 * Waiting work of several users. The user whose last turn is the longest ago comes first, then the runs of that user in turn, then the
 * oldest work of the run: much work of one user delays another user by at most the work that is being done.
 */
export class FairQueue<Item> {
  readonly #users = new Map<string, RunTurns<Item>>();
  /** The number of the last turn of users, the latest last. */
  readonly #lastTurns = new Map<string, number>();
  #turn = 0;
  #size = 0;

  /** Amount of work that waits. */
  get size(): number {
    return this.#size;
  }

  /** Adds work, which must not wait already. */
  add(item: Item, { user, run }: Turn): void {
    const turns = this.#users.get(user) ?? new RunTurns();
    this.#users.set(user, turns);
    turns.add(item, run);
    this.#size += 1;
  }

  /** Removes and returns the next work that is ready; undefined when none is. Other work keeps its place. */
  take(isReady: (item: Item) => boolean = () => true): Item | undefined {
    const user = this.#next(isReady);
    const turns = user === undefined ? undefined : this.#users.get(user);
    if (user === undefined || turns === undefined) return undefined;
    const item = turns.take(isReady);
    if (turns.isEmpty) this.#users.delete(user);
    this.#size -= 1;
    this.#remember(user);
    return item;
  }

  /** Removes work that waits. Returns false when it does not wait. */
  remove(item: Item, { user, run }: Turn): boolean {
    const turns = this.#users.get(user);
    if (turns?.remove(item, run) !== true) return false;
    if (turns.isEmpty) this.#users.delete(user);
    this.#size -= 1;
    return true;
  }

  #next(isReady: (item: Item) => boolean): string | undefined {
    let next: string | undefined;
    let earliest = Infinity;
    for (const [user, turns] of this.#users) {
      const last = this.#lastTurns.get(user) ?? 0;
      if (last >= earliest || !turns.hasReady(isReady)) continue;
      next = user;
      earliest = last;
    }
    return next;
  }

  #remember(user: string): void {
    this.#turn += 1;
    this.#lastTurns.delete(user);
    this.#lastTurns.set(user, this.#turn);
    const [oldest] = this.#lastTurns.keys();
    if (this.#lastTurns.size > MAX_REMEMBERED && oldest !== undefined)
      this.#lastTurns.delete(oldest);
  }
}
