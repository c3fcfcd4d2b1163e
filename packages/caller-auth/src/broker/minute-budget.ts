import { type StateStore, StateStoreError } from '@gateway/state-store';

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
  readonly #store: Pick<StateStore, 'add'>;
  readonly #name: string;
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #shareSize: number;
  #minute = 0;
  /** The share that is tried next: those before it belong to this process or to others. */
  #nextShare = 0;
  #left = 0;
  #reserving: Promise<void> | undefined;

  /**
   * @param store processes with one store have one budget
   * @param now the clock, in milliseconds
   */
  constructor(
    store: Pick<StateStore, 'add'>,
    name: 'document' | 'registration' | 'start',
    perMinute: number,
    now: () => number,
  ) {
    this.#store = store;
    this.#name = name;
    this.#perMinute = perMinute;
    this.#now = now;
    this.#shareSize = Math.ceil(perMinute / SHARES);
  }

  /** Counts an event, and returns whether it is within the budget. */
  async take(): Promise<boolean> {
    for (;;) {
      this.#beginMinute();
      if (this.#left > 0) {
        this.#left -= 1;
        return true;
      }
      const isSpent = this.#reserving === undefined && this.#computeSize(this.#nextShare) === 0;
      if (isSpent) return false;
      this.#reserving ??= this.#reserve().finally(() => {
        this.#reserving = undefined;
      });
      await this.#reserving;
    }
  }

  #beginMinute(): void {
    const minute = Math.floor(this.#now() / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#nextShare = 0;
    this.#left = 0;
  }

  /** The last share may be smaller; a share after it has no events. */
  #computeSize(share: number): number {
    const before = share * this.#shareSize;
    return Math.max(0, Math.min(this.#shareSize, this.#perMinute - before));
  }

  /** Reserves the next share that no process has, if there is one. */
  async #reserve(): Promise<void> {
    const minute = this.#minute;
    while (minute === this.#minute && this.#computeSize(this.#nextShare) > 0) {
      const share = this.#nextShare;
      this.#nextShare += 1;
      const isReserved = await this.#add(minute, share);
      // A new minute may have begun meanwhile.
      if (!isReserved || minute !== this.#minute) continue;
      this.#left += this.#computeSize(share);
      return;
    }
  }

  async #add(minute: number, share: number): Promise<boolean> {
    try {
      const key = ['minute-budget', this.#name, String(minute), String(share)] as const;
      return await this.#store.add([...key], '1', { ttlMs: SHARE_MS });
    } catch (error) {
      if (error instanceof StateStoreError) return true;
      throw error;
    }
  }
}
