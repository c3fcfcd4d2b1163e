/** A request for a start slot. */
export interface StartRequest {
  readonly server: string;
  /** The server failed before; some slots are reserved for other servers. */
  readonly isRetry: boolean;
  /** Aborting it ends the wait. */
  readonly signal: AbortSignal;
}

/** Limits the number of servers that start concurrently. */
export interface StartGate {
  /** Resolves with the release of the slot when one is free; with `undefined` when the signal aborts first. */
  enter(request: StartRequest): Promise<(() => void) | undefined>;
  /** Removes the used slot time of a removed server. */
  forget(server: string): void;
}

interface Waiting extends Omit<StartRequest, 'signal'> {
  /** Slot time that the server has used, by fair queueing. */
  readonly used: number;
  readonly admit: () => void;
}

/** Minimum slot time of a start, in milliseconds. */
const LEAST_USE_MS = 1;

/** Returns the number of slots for servers that did not fail, so that failing servers never block others. */
const reservedOf = (slots: number): number => Math.floor(slots / 4);

/** Slot time by server, as in start-time fair queueing: an absent server does not accumulate a claim. */
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

/** The slots of a gate. */
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
 * Returns a gate with `slots` places. The server with the least used slot time comes first, then the earliest: a server that restarts
 * repeatedly gets no more than its share, and no later server overtakes a new one.
 *
 * @param now returns monotonic time in milliseconds
 */
export const createStartGate = (slots: number, now: () => number): StartGate =>
  new Gate(slots, now);
