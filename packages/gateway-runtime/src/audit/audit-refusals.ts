import type { AuditTrail } from './audit-trail.ts';

/** Interval in which equal refusals are one record, in milliseconds. */
const WINDOW_MS = 1000;

/** Maximum number of different refusals in one interval; further ones are counted without the peer. */
const MAX_KEYS = 1000;

interface Counted {
  readonly reason: string;
  readonly peer: string | undefined;
  count: number;
}

/**
 * Returns a listener that writes records of refused requests. A flood of them must not displace other records, so equal ones of a second
 * are one record with a count. Its reason has the prefix.
 */
export function auditRefusals(
  trail: AuditTrail,
  {
    windowMs = WINDOW_MS,
    prefix = 'endpoint',
  }: { readonly windowMs?: number; readonly prefix?: 'endpoint' | 'sign-in' } = {},
): (code: string, peer?: string) => void {
  const counted = new Map<string, Counted>();
  const write = (): void => {
    for (const { reason, peer, count } of counted.values())
      trail.write({ peer, decision: 'refused', reason, ...(count > 1 && { count }) });
    counted.clear();
  };
  return (code, caller) => {
    const reason = `${prefix}:${code}`;
    const peer = counted.size < MAX_KEYS ? caller : undefined;
    if (counted.size === 0) setTimeout(write, windowMs).unref();
    const key = `${reason} ${peer ?? ''}`;
    const known = counted.get(key) ?? { reason, peer, count: 0 };
    known.count += 1;
    counted.set(key, known);
  };
}
