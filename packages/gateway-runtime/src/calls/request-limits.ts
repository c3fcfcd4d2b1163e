/** A number of calls in any period of this length. */
export interface Rate {
  readonly calls: number;
  readonly windowMs: number;
}

/** Parts of a period; the calls of one part are counted together. */
const PARTS = 64;

interface CountedCalls {
  readonly firstAt: number;
  lastAt: number;
  calls: number;
}

/**
 * The calls of the last period, at most 65 numbers however many they are. Calls that follow each other within a 64th of the period
 * leave it together with the last one of them, so that no period ever has more calls than the rate. Times are in milliseconds.
 */
export class RateWindow {
  readonly #counted: CountedCalls[] = [];
  #calls = 0;

  /** Returns the time until a further call is allowed; 0 when it is allowed now. */
  findWait(now: number, { calls, windowMs }: Rate): number {
    this.#forget(now - windowMs);
    let left = this.#calls;
    let waitMs = 0;
    for (const part of this.#counted) {
      if (left < calls) break;
      left -= part.calls;
      waitMs = part.lastAt + windowMs - now;
    }
    return waitMs;
  }

  /** Counts a call that is allowed. */
  add(now: number, { windowMs }: Rate): void {
    this.#calls += 1;
    const last = this.#counted.at(-1);
    if (last === undefined || now - last.firstAt >= windowMs / PARTS)
      this.#counted.push({ firstAt: now, lastAt: now, calls: 1 });
    else {
      last.lastAt = now;
      last.calls += 1;
    }
  }

  #forget(until: number): void {
    let first = this.#counted[0];
    while (first !== undefined && first.lastAt <= until) {
      this.#calls -= first.calls;
      this.#counted.shift();
      first = this.#counted[0];
    }
  }
}

/** When a breaker opens, and for how long. */
export interface BreakerPolicy {
  readonly failures: number;
  readonly openMs: number;
}

/** The end of a call for a breaker. `neither`: it says nothing about the server, for example because its caller cancelled it. */
export type BreakerVerdict = 'answered' | 'failed' | 'neither';

/** The state of a breaker. In `half-open` one call is sent; the other calls are answered as in `open`. */
export type BreakerState =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open'; readonly until: number }
  | { readonly kind: 'half-open' };

const CLOSED: BreakerState = { kind: 'closed', failures: 0 };

/** A change of a breaker that is reported. */
export type BreakerChange = 'opened' | 'closed';

/**
 * Ends the calls of a server that does not answer before they are sent: after so many failures in a row it is open, then it admits one
 * trial call, whose end closes or opens it. Times are in milliseconds.
 */
export class Breaker {
  #state: BreakerState = CLOSED;
  /** Changes when the breaker opens or closes: a call that began before does not count. */
  #round = 0;

  get state(): BreakerState {
    return this.#state;
  }

  /** Returns whether a call may be sent now. */
  admits(now: number): boolean {
    const state = this.#state;
    return state.kind === 'closed' || (state.kind === 'open' && state.until <= now);
  }

  /** Begins a call that is admitted; it is the trial call of an open breaker. Returns its round. */
  begin(): number {
    if (this.#state.kind === 'open') this.#become({ kind: 'half-open' });
    return this.#round;
  }

  /** Ends a call. @param round the value that `begin` returned for it */
  end(
    round: number,
    verdict: BreakerVerdict,
    now: number,
    policy: BreakerPolicy,
  ): BreakerChange | undefined {
    const state = this.#state;
    if (round !== this.#round || state.kind === 'open') return undefined;
    if (state.kind === 'half-open') return this.#endTrial(verdict, now, policy);
    if (verdict === 'neither') return undefined;
    const failures = verdict === 'answered' ? 0 : state.failures + 1;
    if (failures < policy.failures) {
      this.#state = failures === 0 ? CLOSED : { kind: 'closed', failures };
      return undefined;
    }
    this.#become({ kind: 'open', until: now + policy.openMs });
    return 'opened';
  }

  #endTrial(
    verdict: BreakerVerdict,
    now: number,
    { openMs }: BreakerPolicy,
  ): BreakerChange | undefined {
    if (verdict === 'answered') {
      this.#become(CLOSED);
      return 'closed';
    }
    // A trial call that says nothing is followed by the next one.
    this.#become({ kind: 'open', until: verdict === 'failed' ? now + openMs : now });
    return undefined;
  }

  #become(state: BreakerState): void {
    this.#state = state;
    this.#round += 1;
  }
}
