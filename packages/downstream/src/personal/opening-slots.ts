/** Bounds the number of connections that are being opened. */
export interface OpeningSlots {
  /** Resolves with the function that frees the slot; with `undefined` when the signal aborts first. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined>;
}

type Leave = () => void;

/** The slots, which are given in the order of the requests. */
class Slots implements OpeningSlots {
  readonly #size: number;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  enter(signal: AbortSignal): Promise<Leave | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    if (this.#taken < this.#size) return Promise.resolve(this.#take());
    return new Promise((resolve) => {
      const withdraw = (): void => {
        this.#waiting.delete(enter);
        resolve(undefined);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', withdraw);
        resolve(this.#take());
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', withdraw, { once: true });
    });
  }

  #take(): Leave {
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#waiting.delete(next);
      next();
    };
  }
}

/** Returns this number of slots. */
export const createOpeningSlots = (size: number): OpeningSlots => new Slots(size);
