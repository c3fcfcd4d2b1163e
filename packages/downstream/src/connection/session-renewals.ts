import { doubledMs } from '../wire/deadlines.ts';
import type { BackoffPolicy } from '../wire/limits.ts';

/**
 * Decides when a refused session is opened again: at once, and then once per step of the backoff, until a session lasts. Without it a server
 * that refuses every session would be sent a handshake per call.
 */
export class SessionRenewals {
  #count = 0;
  #lastAt = -Infinity;

  /**
   * Returns whether the session may be opened again now, and counts it.
   *
   * @param now monotonic time in milliseconds
   */
  take(now: number, { initialMs, maxMs, stableAfterMs }: BackoffPolicy): boolean {
    const sinceMs = now - this.#lastAt;
    if (sinceMs >= stableAfterMs) this.#count = 0;
    if (this.#count > 0 && sinceMs < doubledMs(initialMs, this.#count - 1, maxMs)) return false;
    this.#count += 1;
    this.#lastAt = now;
    return true;
  }
}
