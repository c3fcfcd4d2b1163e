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

/**
 * A gate with `slots` places. Whoever has used the least slot time comes first, then who came first: a server that starts over and over
 * gets no more than its share, and a new one is overtaken by nobody who came later.
 *
 * @param now a clock that never goes back, in milliseconds
 */
export const createStartGate = (slots: number, now: () => number): StartGate => {
  const places = new Slots(slots);
  const shares = new Shares();
  const waiting = new Set<Waiting>();
  const next = (): Waiting | undefined => {
    let first: Waiting | undefined;
    for (const one of waiting)
      if (places.isOpenTo(one) && (first === undefined || one.used < first.used)) first = one;
    return first;
  };
  const occupy = ({ server, isRetry, used }: Omit<Waiting, 'admit'>): (() => void) => {
    const since = now();
    let released = false;
    places.take({ isRetry }, 1);
    shares.admitted(used);
    return () => {
      if (released) return;
      released = true;
      places.take({ isRetry }, -1);
      shares.add(server, used, now() - since);
      next()?.admit();
    };
  };
  return {
    forget: (server) => shares.forget(server),
    enter({ server, isRetry, signal }) {
      if (signal.aborted) return Promise.resolve(undefined);
      const entry = { server, isRetry, used: shares.of(server) };
      if (places.isOpenTo(entry)) return Promise.resolve(occupy(entry));
      return new Promise((resolve) => {
        const leave = (): void => {
          waiting.delete(one);
          signal.removeEventListener('abort', onAbort);
        };
        const one: Waiting = {
          ...entry,
          admit: () => {
            leave();
            resolve(occupy(entry));
          },
        };
        const onAbort = (): void => {
          leave();
          resolve(undefined);
        };
        waiting.add(one);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
};
