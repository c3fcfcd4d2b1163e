import type { StatusCondition } from '@gateway/crd-schemas';
import { fieldsOf, type VersionedObject } from '@gateway/kube-client';
import type { ResourceKind } from '../port/resource-key.ts';
import type { StatusByKind } from '../port/resource-status.ts';

type Status = StatusByKind[ResourceKind];

const conditionsOf = (status: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const { conditions } = fieldsOf(status);
  return Array.isArray(conditions) ? conditions.map(fieldsOf) : [];
};

/**
 * Returns a status as the API stores it: conditions name the generation that they are about, and a condition that has not changed has the
 * time of its last transition, also when another process wrote it.
 */
export const statusBody = (
  status: Status,
  { object }: VersionedObject,
): Readonly<Record<string, unknown>> => {
  const { generation } = object.metadata;
  const before = conditionsOf(object.status);
  const conditions = status.conditions.map((condition: StatusCondition) => {
    const known = before.find(({ type }) => type === condition.type);
    const isSame = known?.['status'] === condition.status;
    return {
      ...condition,
      ...(isSame ? { lastTransitionTime: known['lastTransitionTime'] } : {}),
      ...(typeof generation === 'number' ? { observedGeneration: generation } : {}),
    };
  });
  return JSON.parse(JSON.stringify({ ...status, conditions })) as Record<string, unknown>;
};
