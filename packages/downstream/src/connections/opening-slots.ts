import { FairQueue } from '@gateway/call-contract';

/** Bounds the number of connections that are being opened. */
export interface OpeningSlots {
  /** Resolves with the function that frees the slot; with `undefined` when the signal aborts first. Users take turns. */
  enter(user: string, signal: AbortSignal): Promise<(() => void) | undefined>;
}

type Leave = () => void;

class Slots implements OpeningSlots {
  readonly #size: number;
  readonly #waiting = new FairQueue<() => void>();
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  enter(user: string, signal: AbortSignal): Promise<Leave | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    if (this.#taken < this.#size) return Promise.resolve(this.#take());
    return new Promise((resolve) => {
      const withdraw = (): void => {
        this.#waiting.remove(enter, { user });
        resolve(undefined);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', withdraw);
        resolve(this.#take());
      };
      this.#waiting.add(enter, { user });
      signal.addEventListener('abort', withdraw, { once: true });
    });
  }

  #take(): Leave {
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
      this.#waiting.take()?.();
    };
  }
}

/** Returns this number of slots. */
export const createOpeningSlots = (size: number): OpeningSlots => new Slots(size);
