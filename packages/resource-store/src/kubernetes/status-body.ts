import type { StatusCondition } from '@gateway/crd-schemas';
import { fieldsOf, type VersionedObject } from '@gateway/kube-client';
import { isDeepStrictEqual } from 'node:util';
import type { ResourceKind } from '../port/resource-key.ts';
import type { StatusByKind } from '../port/resource-status.ts';

type Status = StatusByKind[ResourceKind];
type Fields = Readonly<Record<string, unknown>>;

const conditionsOf = (status: unknown): readonly Fields[] => {
  const { conditions } = fieldsOf(status);
  return Array.isArray(conditions) ? conditions.map(fieldsOf) : [];
};

/**
 * Returns a status as the API stores it: conditions name the generation that they are about, and a condition that has not changed has the
 * time of its last transition, also when another process wrote it.
 *
 * @param generation that of the definition that the status is about
 */
export const statusBody = (
  status: Status,
  { object }: VersionedObject,
  generation: number | undefined,
): Fields => {
  const before = conditionsOf(object.status);
  const conditions = status.conditions.map((condition: StatusCondition) => {
    const known = before.find(({ type }) => type === condition.type);
    const isSame = known?.['status'] === condition.status;
    return {
      ...condition,
      ...(isSame ? { lastTransitionTime: known['lastTransitionTime'] } : {}),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
  });
  return JSON.parse(JSON.stringify({ ...status, conditions })) as Record<string, unknown>;
};

/** Returns whether an object has a status about this generation of its definition. */
export const hasStatusOf = (
  { object }: VersionedObject,
  generation: number | undefined,
): boolean => {
  const [first] = conditionsOf(object.status);
  return first !== undefined && first['observedGeneration'] === generation;
};

/** Fields that change with each attempt to connect to a server that stays away. */
const ATTEMPT_FIELDS = ['consecutiveFailures', 'lastAttempt', 'nextRetryAfter', 'restartCount'];

/** The difference between two statuses: none, in fields of attempts only, or in others. */
export type StatusDifference = 'none' | 'attempts' | 'other';

const withoutAttempts = (status: Fields): Fields =>
  Object.fromEntries(Object.entries(status).filter(([name]) => !ATTEMPT_FIELDS.includes(name)));

/** Returns how two statuses differ. */
export const statusDifference = (stored: unknown, wanted: Fields): StatusDifference => {
  if (isDeepStrictEqual(stored, wanted)) return 'none';
  return isDeepStrictEqual(withoutAttempts(fieldsOf(stored)), withoutAttempts(wanted))
    ? 'attempts'
    : 'other';
};
