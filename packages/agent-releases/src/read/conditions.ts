import type { Agent } from '@gateway/agent-manager-client';
import type { KubernetesObject } from '../store/objects.ts';
import { at, defined, listOf, textOf } from '../values/lenient.ts';

/** A condition in the status of a Kubernetes object. */
export type Condition = NonNullable<Agent['conditions']>[number];

const conditionOf = (value: unknown): readonly Condition[] => {
  const type = textOf(at(value, 'type'));
  const status = textOf(at(value, 'status'));
  if (type === undefined || status === undefined) return [];
  return [
    defined({
      type,
      status,
      reason: textOf(at(value, 'reason')),
      message: textOf(at(value, 'message')),
      lastTransitionTime: textOf(at(value, 'lastTransitionTime')),
    }),
  ];
};

/** Returns the conditions in the status of an object that have a type and a status, in their order. */
export const conditionsOf = (object: KubernetesObject | undefined): readonly Condition[] =>
  listOf(at(object, 'status', 'conditions')).flatMap(conditionOf);

/** Returns whether a condition is true; null when it is unknown. */
export const holds = (conditions: readonly Condition[], type: string): boolean | null => {
  const status = conditions.find((condition) => condition.type === type)?.status;
  return status === 'True' ? true : status === 'False' ? false : null;
};
