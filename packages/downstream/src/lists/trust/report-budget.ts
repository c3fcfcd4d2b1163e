/** Maximum number of reports about a server in a burst. */
const MAX_REPORTS = 100;
/** Interval after which one more report is allowed, in milliseconds. */
const REFILL_MS = 6_000;

/** A rate limit for the reports about each server, so that no server fills the log and the events. */
export class ReportBudget {
  readonly #now: () => number;
  readonly #left = new Map<string, { count: number; at: number }>();

  /** @param now returns the time in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes up to `wanted` reports. @returns the number of reports that are allowed */
  take(server: string, wanted: number): number {
    const now = this.#now();
    const before = this.#left.get(server) ?? { count: MAX_REPORTS, at: now };
    const earned = Math.max(0, Math.floor((now - before.at) / REFILL_MS));
    const count = Math.min(MAX_REPORTS, before.count + earned);
    const taken = Math.min(count, wanted);
    // The remainder of an interval counts for the next one; a clock that was set back starts a new interval.
    const at = count === MAX_REPORTS || now < before.at ? now : before.at + earned * REFILL_MS;
    this.#left.set(server, { count: count - taken, at });
    return taken;
  }
}
