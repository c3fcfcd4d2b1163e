/** The number of rounds in an interval. */
const ROUNDS = 10;
/** Random variation of each interval, so that servers which connected together are not checked together. */
const SPREAD = 0.1;

/**
 * Returns the time until the next check in milliseconds: about the interval, to the end of a round. The checks of many servers share few rounds,
 * because a process at rest that wakes for each of them spends most of a check on filling the caches of the processor.
 * @param random a number from 0 to 1
 */
export const untilRound = (now: number, intervalMs: number, random: number): number => {
  const roundMs = intervalMs / ROUNDS;
  const dueAt = now + intervalMs * (1 - SPREAD + 2 * SPREAD * random);
  return Math.round(dueAt / roundMs) * roundMs - now;
};

/** Servers that are checked at one instant, and the time to the next instant of the round in milliseconds. */
const PER_INSTANT = 32;
const INSTANT_MS = 25;

/** The rounds of all servers of a process. Many servers of one round are checked in groups, so that their checks do not all start at once. */
export class CheckRounds {
  /** The servers of each round that has not ended, by its end. */
  readonly #counts = new Map<number, number>();

  /** Returns the time until the next check of a server in milliseconds. The parameters are those of {@link untilRound}. */
  until(now: number, intervalMs: number, random: number): number {
    for (const end of this.#counts.keys()) if (end < now) this.#counts.delete(end);
    const delayMs = untilRound(now, intervalMs, random);
    const end = Math.round(now + delayMs);
    const count = this.#counts.get(end) ?? 0;
    this.#counts.set(end, count + 1);
    const offsetMs = Math.floor(count / PER_INSTANT) * INSTANT_MS;
    return delayMs + (offsetMs % (intervalMs / ROUNDS));
  }
}
