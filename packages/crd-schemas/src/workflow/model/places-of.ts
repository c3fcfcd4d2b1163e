import { MAX_ALL_STEPS } from '../../resource/limits.ts';
import { memberOf } from '../../resource/resource-identity.ts';
import type { ValidationIssue } from '../../resource/validation-issue.ts';
import { idOf } from './step-id.ts';

/** A value of a document at the position of a step or a sub-step; it may be invalid. */
export interface StepPlace {
  readonly value: unknown;
  /** From the document's root. */
  readonly path: ValidationIssue['path'];
  /** The id of the enclosing step and its field: `loop.forEach`, `onFailure`; empty for a step. */
  readonly within: string;
}

const listAt = (value: unknown, key: string): readonly unknown[] => {
  const list = memberOf(value, key);
  return Array.isArray(list) ? list : [];
};

const subPlaces = (
  list: readonly unknown[],
  path: ValidationIssue['path'],
  within: string,
): readonly StepPlace[] =>
  Array.from(list, (value, index) => ({ value, path: [...path, index], within }));

const placesIn = (step: unknown, path: ValidationIssue['path']): readonly StepPlace[] => [
  { value: step, path, within: '' },
  ...subPlaces(
    listAt(memberOf(step, 'forEach'), 'steps'),
    [...path, 'forEach', 'steps'],
    `${idOf(step)}.forEach`,
  ),
  ...subPlaces(listAt(step, 'parallel'), [...path, 'parallel'], `${idOf(step)}.parallel`),
];

/** Returns whether a `spec` lists more steps, sub-steps and handlers than a workflow may have. Reads lengths only. */
export const hasTooManySteps = (spec: unknown): boolean => {
  const steps = listAt(spec, 'steps');
  let count = steps.length + listAt(spec, 'onFailure').length;
  for (const step of count > MAX_ALL_STEPS ? [] : steps) {
    count += listAt(memberOf(step, 'forEach'), 'steps').length + listAt(step, 'parallel').length;
  }
  return count > MAX_ALL_STEPS;
};

/**
 * Returns every step and sub-step of a `spec`, valid or not, in the order of the document; none when there are too many. Also
 * accepts the spec of a `Workflow`.
 */
export const placesOf = (spec: unknown): readonly StepPlace[] =>
  hasTooManySteps(spec)
    ? []
    : [
        ...Array.from(listAt(spec, 'steps')).flatMap((step, index) =>
          placesIn(step, ['spec', 'steps', index]),
        ),
        ...subPlaces(listAt(spec, 'onFailure'), ['spec', 'onFailure'], 'onFailure'),
      ];
