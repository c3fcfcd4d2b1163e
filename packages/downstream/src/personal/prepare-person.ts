import type { Person, PersonalRecord } from './personal-record.ts';
import type { PersonalPolicy } from './personal-policy.ts';
import type { PersonalTarget } from './personal-targets.ts';

type RetryPolicy = Pick<PersonalPolicy, 'retryMs' | 'refusedRetryMs' | 'maxRetryMs'>;

const isRefused = ({ problem }: PersonalRecord): boolean =>
  problem !== undefined && problem.code !== 'unavailable';

/** Returns the time of the next attempt that no call asks for, in monotonic milliseconds. */
const retryTime = (record: PersonalRecord, policy: RetryPolicy): number => {
  const { failures, failedAt } = record;
  const firstMs = isRefused(record) ? policy.refusedRetryMs : policy.retryMs;
  return failedAt + Math.min(policy.maxRetryMs, firstMs * 2 ** Math.min(failures - 1, 20));
};

/** Returns whether the record has nothing to show and an attempt may change that. */
export const isUnprepared = (
  record: PersonalRecord | undefined,
  kind: PersonalTarget['kind'],
  { now, policy }: { readonly now: number; readonly policy: RetryPolicy },
): boolean => {
  if (record === undefined) return true;
  if (record.lists !== undefined) return false;
  // A sign-in is reported by the credentials.
  if (kind === 'oauth' && isRefused(record)) return false;
  return record.failures === 0 || now >= retryTime(record, policy);
};

/** Returns the time from which a record without lists may be tried again; infinite when there is nothing to try. */
const nextAttempt = (record: PersonalRecord, policy: RetryPolicy): number =>
  record.lists === undefined && record.failures > 0 ? retryTime(record, policy) : Infinity;

/** Returns the time of the next preparation of a person whose servers do not change, in monotonic milliseconds. */
export const nextPreparation = (person: Person, policy: RetryPolicy): number =>
  Math.min(...[...person.records.values()].map((record) => nextAttempt(record, policy)));

/** Plans the preparation that follows an attempt. The preparation that began the attempt may have ended before it. */
export const planAttempt = (record: PersonalRecord, policy: RetryPolicy): void => {
  const { person } = record;
  person.retryAt = Math.min(person.retryAt, nextAttempt(record, policy));
};
