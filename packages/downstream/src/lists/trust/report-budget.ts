/** Reports that a server may cause at once. */
const MAX_REPORTS = 100;
/** After this long one more is allowed, in milliseconds. */
const REFILL_MS = 6_000;

/** Says how many reports may still be made about each server, so that none of them fills the log and the events. */
export class ReportBudget {
  readonly #now: () => number;
  readonly #left = new Map<string, { count: number; at: number }>();

  /** @param now a clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes so many reports at most. @returns how many may be made */
  take(server: string, wanted: number): number {
    const now = this.#now();
    const before = this.#left.get(server) ?? { count: MAX_REPORTS, at: now };
    const earned = Math.max(0, Math.floor((now - before.at) / REFILL_MS));
    const count = Math.min(MAX_REPORTS, before.count + earned);
    const taken = Math.min(count, wanted);
    // What is left of a period counts for the next; a clock that was set back starts anew.
    const at = count === MAX_REPORTS || now < before.at ? now : before.at + earned * REFILL_MS;
    this.#left.set(server, { count: count - taken, at });
    return taken;
  }
}
