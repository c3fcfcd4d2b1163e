import { type StateStore, StateStoreError } from '@gateway/state-store';

/** The options of {@link MinuteBudget}. */
export interface MinuteBudgetOptions {
  /** Processes with one store have one budget. */
  readonly store: Pick<StateStore, 'add'>;
  /** Name of the budget in the store. */
  readonly name: 'document' | 'registration' | 'start';
  readonly perMinute: number;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

const MINUTE_MS = 60_000;

/** A share is stored longer than its minute, because the clocks of processes differ. */
const SHARE_MS = 2 * MINUTE_MS;

/** Maximum number of shares of a budget. A process reserves one at a time, so that few events need a request to the store. */
const SHARES = 50;

/**
 * A budget of events per minute, of all processes of a store together. What a process reserved and did not use is lost at the end of the
 * minute. While the store does not accept a share, each process counts its own events.
 */
export class MinuteBudget {
  readonly #options: MinuteBudgetOptions;
  readonly #shareSize: number;
  #minute = 0;
  /** The share that is tried next: those before it belong to this process or to others. */
  #nextShare = 0;
  #left = 0;
  #reserving: Promise<void> | undefined;

  constructor(options: MinuteBudgetOptions) {
    this.#options = options;
    this.#shareSize = Math.ceil(options.perMinute / SHARES);
  }

  /** Counts an event, and returns whether it is within the budget. */
  async take(): Promise<boolean> {
    for (;;) {
      this.#beginMinute();
      if (this.#left > 0) {
        this.#left -= 1;
        return true;
      }
      const isSpent = this.#reserving === undefined && this.#sizeOf(this.#nextShare) === 0;
      if (isSpent) return false;
      this.#reserving ??= this.#reserve().finally(() => {
        this.#reserving = undefined;
      });
      await this.#reserving;
    }
  }

  #beginMinute(): void {
    const minute = Math.floor(this.#options.now() / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#nextShare = 0;
    this.#left = 0;
  }

  /** The last share may be smaller; a share after it has no events. */
  #sizeOf(share: number): number {
    const before = share * this.#shareSize;
    return Math.max(0, Math.min(this.#shareSize, this.#options.perMinute - before));
  }

  /** Reserves the next share that no process has, if there is one. */
  async #reserve(): Promise<void> {
    const minute = this.#minute;
    while (minute === this.#minute && this.#sizeOf(this.#nextShare) > 0) {
      const share = this.#nextShare;
      this.#nextShare += 1;
      const isReserved = await this.#add(minute, share);
      // A new minute may have begun meanwhile.
      if (!isReserved || minute !== this.#minute) continue;
      this.#left += this.#sizeOf(share);
      return;
    }
  }

  async #add(minute: number, share: number): Promise<boolean> {
    const { store, name } = this.#options;
    try {
      const key = ['minute-budget', name, String(minute), String(share)] as const;
      return await store.add([...key], '1', { ttlMs: SHARE_MS });
    } catch (error) {
      if (error instanceof StateStoreError) return true;
      throw error;
    }
  }
}
