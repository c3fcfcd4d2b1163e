/** Who wants to start. */
export interface StartRequest {
  readonly server: string;
  /** It failed before: some slots are not for it. */
  readonly isRetry: boolean;
  /** Gives the wait up. */
  readonly signal: AbortSignal;
}

/** Lets a bounded number of servers start at once. */
export interface StartGate {
  /** Resolves with the slot's release once a slot is free; with `undefined` when the signal aborts first. */
  enter(request: StartRequest): Promise<(() => void) | undefined>;
  /** Forgets what a server that is gone has used. */
  forget(server: string): void;
}

interface Waiting extends Omit<StartRequest, 'signal'> {
  /** Slot time that its server has used, counted from when it was last among the least. */
  readonly used: number;
  readonly admit: () => void;
}

/** Even the shortest start uses this much, in milliseconds. */
const LEAST_USE_MS = 1;

/** Slots that only servers which did not fail may take, so that many broken ones never hold up a good one. */
const reservedOf = (slots: number): number => Math.floor(slots / 4);

/** Slot time by server, as start-time fair queueing counts it: who was away for long has no claim for it. */
class Shares {
  readonly #used = new Map<string, number>();
  #least = 0;

  of(server: string): number {
    return Math.max(this.#least, this.#used.get(server) ?? 0);
  }

  admitted(used: number): void {
    this.#least = Math.max(this.#least, used);
  }

  add(server: string, used: number, ms: number): void {
    this.#used.set(server, used + Math.max(LEAST_USE_MS, ms));
  }

  forget(server: string): void {
    this.#used.delete(server);
  }
}

/** The places of a gate. */
class Slots {
  #free: number;
  #freeForRetries: number;

  constructor(slots: number) {
    this.#free = slots;
    this.#freeForRetries = slots - reservedOf(slots);
  }

  isOpenTo({ isRetry }: Pick<StartRequest, 'isRetry'>): boolean {
    return this.#free > 0 && (!isRetry || this.#freeForRetries > 0);
  }

  take({ isRetry }: Pick<StartRequest, 'isRetry'>, by: 1 | -1): void {
    this.#free -= by;
    if (isRetry) this.#freeForRetries -= by;
  }
}

const nextOf = (waiting: Iterable<Waiting>, places: Slots): Waiting | undefined => {
  let first: Waiting | undefined;
  for (const one of waiting)
    if (places.isOpenTo(one) && (first === undefined || one.used < first.used)) first = one;
  return first;
};

type Entry = Omit<Waiting, 'admit'>;

class Gate implements StartGate {
  readonly #now: () => number;
  readonly #places: Slots;
  readonly #shares = new Shares();
  readonly #waiting = new Set<Waiting>();

  constructor(slots: number, now: () => number) {
    this.#places = new Slots(slots);
    this.#now = now;
  }

  enter({ server, isRetry, signal }: StartRequest): Promise<(() => void) | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    const entry: Entry = { server, isRetry, used: this.#shares.of(server) };
    return this.#places.isOpenTo(entry)
      ? Promise.resolve(this.#occupy(entry))
      : this.#wait(entry, signal);
  }

  forget(server: string): void {
    this.#shares.forget(server);
  }

  #occupy(entry: Entry): () => void {
    const since = this.#now();
    let released = false;
    this.#places.take(entry, 1);
    this.#shares.admitted(entry.used);
    return () => {
      if (released) return;
      released = true;
      this.#places.take(entry, -1);
      this.#shares.add(entry.server, entry.used, this.#now() - since);
      nextOf(this.#waiting, this.#places)?.admit();
    };
  }

  #wait(entry: Entry, signal: AbortSignal): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#waiting.delete(one);
        signal.removeEventListener('abort', onAbort);
      };
      const admit = (): void => {
        leave();
        resolve(this.#occupy(entry));
      };
      const onAbort = (): void => {
        leave();
        resolve(undefined);
      };
      const one: Waiting = { ...entry, admit };
      this.#waiting.add(one);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}

/**
 * A gate with `slots` places. Whoever has used the least slot time comes first, then who came first: a server that starts over and over
 * gets no more than its share, and a new one is overtaken by nobody who came later.
 *
 * @param now a clock that never goes back, in milliseconds
 */
export const createStartGate = (slots: number, now: () => number): StartGate =>
  new Gate(slots, now);
