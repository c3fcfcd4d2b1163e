import { StateStoreError } from './state-store-error.ts';

const MAX_VALUE_BYTES = 1024 * 1024;
const MAX_TTL_MS = 400 * 24 * 60 * 60 * 1000;

/** Entries of one group. */
export const MAX_GROUP_ENTRIES = 4_096;

/** Entries that are deleted when a group is full: those that were written first. */
export const EVICTED_GROUP_ENTRIES = 64;

/** Throws a `StateStoreError` when a stored value or message has more than 1 MiB of UTF-8. A value of 700,000 bytes fits when it is encrypted. */
export const requireBoundedValue = (value: string): void => {
  if (value.length * 3 <= MAX_VALUE_BYTES) return;
  if (Buffer.byteLength(value) <= MAX_VALUE_BYTES) return;
  throw new StateStoreError('full', 'The state store refuses values of more than 1 MiB.');
};

/** Returns a lifetime in whole milliseconds from 0 (stores nothing) to 400 days. */
export const boundedTtl = (ttlMs: number): number =>
  ttlMs > 0 ? Math.min(Math.ceil(ttlMs), MAX_TTL_MS) : 0;
