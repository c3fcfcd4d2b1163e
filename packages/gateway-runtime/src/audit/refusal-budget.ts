import { ANONYMOUS, type CallContext } from '@gateway/call-contract';
import { createRateLimiter } from '@gateway/mcp-http';
import type { Logger } from 'pino';
import type { AuditRecord } from './audit-record.ts';

/** Refusals of a caller that have a line of their own: so many at once, and one in each second after that. */
const BURST = 100;
const PER_SECOND = 1;
const MAX_CALLERS = 10_000;

/** Interval in which equal refusals are one line, in milliseconds. */
const WINDOW_MS = 1000;

/** Maximum number of different refusals in one interval; further ones are counted without their caller. */
const MAX_KEYS = 1000;

/** The context that names a caller. */
export type CallerFacts = Partial<Pick<CallContext, 'principal' | 'callerKey'>>;

/** Returns the key under which the refusals of a caller are counted: its principal, or its address without sign-in. */
export const toRefusalKey = ({ principal, callerKey = '' }: CallerFacts): string =>
  principal === undefined || principal.key === ANONYMOUS.key ? callerKey : principal.key;

/** The common facts of equal refusals: the reason and the caller. */
export interface CountedRefusal<What, Who> {
  readonly what: What;
  readonly who: Who;
}

/**
 * Decides which refusals have a line of their own in a log. A flood of one caller must not displace the lines of others, so that refusals
 * beyond the caller's budget are one line with a count for each interval.
 */
export class RefusalBudget<What extends object, Who extends object> {
  readonly #write: (refusal: What & Partial<Who>, count: number) => void;
  readonly #windowMs: number;
  readonly #budgets = createRateLimiter({
    requestsPerSecond: PER_SECOND,
    burst: BURST,
    maxCallers: MAX_CALLERS,
  });
  readonly #counted = new Map<string, { readonly refusal: What & Partial<Who>; count: number }>();
  #timer: NodeJS.Timeout | undefined;

  /** @param write writes the line of equal refusals */
  constructor(write: (refusal: What & Partial<Who>, count: number) => void, windowMs = WINDOW_MS) {
    this.#write = write;
    this.#windowMs = windowMs;
  }

  /** Takes the line of a refusal from the budget of its caller; `false` without budget: the refusal is counted. */
  take(caller: string, refusal: () => CountedRefusal<What, Who>): boolean {
    if (this.#budgets.take(caller, 1) === 0) return true;
    this.count(refusal());
    return false;
  }

  /** Counts a refusal that never has a line of its own. */
  count({ who, what }: CountedRefusal<What, Who>): void {
    const shown: Partial<Who> = this.#counted.size < MAX_KEYS ? who : {};
    const key = JSON.stringify([what, shown]);
    const known = this.#counted.get(key);
    if (known === undefined) this.#counted.set(key, { refusal: { ...what, ...shown }, count: 1 });
    else known.count += 1;
    this.#timer ??= setTimeout(() => this.flush(), this.#windowMs).unref();
  }

  /** Writes the lines of the counted refusals. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counted = [...this.#counted.values()];
    this.#counted.clear();
    for (const { refusal, count } of counted) this.#write(refusal, count);
  }
}

/** Logs a refused call as one info line. */
export type RefusalLog = (call: CallerFacts, facts: object, text: string) => void;

/** Creates the log of refused calls. Calls beyond the budget of their caller are one line of each second. */
export const createRefusalLog = (logger: Pick<Logger, 'info'>): RefusalLog => {
  const budget = new RefusalBudget<object, Pick<AuditRecord, 'subject' | 'peer'>>(
    ({ subject, peer }, count) => {
      const caller = peer ?? subject ?? 'other callers';
      logger.info({ subject, peer, count }, `${count} further refused calls of ${caller}`);
    },
  );
  return (call, facts, text) => {
    const { principal, callerKey: peer } = call;
    const refusal = () => ({ what: {}, who: { subject: principal?.subject, peer } });
    if (budget.take(toRefusalKey(call), refusal)) logger.info(facts, text);
  };
};
