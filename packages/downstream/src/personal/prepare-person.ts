import type { Person, PersonalRecord } from './personal-record.ts';
import type { PersonalPolicy } from './personal-policy.ts';
import type { PersonalTarget } from './personal-targets.ts';

type RetryPolicy = Pick<PersonalPolicy, 'retryMs' | 'maxRetryMs'>;

/** Returns the time of the next attempt that no call asks for, in monotonic milliseconds. */
const retryTime = ({ failures, failedAt }: PersonalRecord, policy: RetryPolicy): number => {
  const { retryMs, maxRetryMs } = policy;
  return failedAt + Math.min(maxRetryMs, retryMs * 2 ** Math.min(failures - 1, 20));
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
  const isSignInMissing = record.problem !== undefined && record.problem.code !== 'unavailable';
  if (kind === 'oauth' && isSignInMissing) return false;
  return record.failures === 0 || now >= retryTime(record, policy);
};

/** Returns the time of the next preparation of a person whose servers do not change, in monotonic milliseconds. */
export const nextPreparation = (person: Person, policy: RetryPolicy): number => {
  const times = [...person.records.values()]
    .filter(({ lists, failures }) => lists === undefined && failures > 0)
    .map((record) => retryTime(record, policy));
  return Math.min(Infinity, ...times);
};
