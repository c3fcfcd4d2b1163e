import { MAX_ALL_STEPS } from '../../resource/limits.ts';
import { memberOf } from '../../resource/resource-identity.ts';
import type { ValidationIssue } from '../../resource/validation-issue.ts';
import { idOf } from './step-id.ts';

/** Something in a document that may be a step or a sub-step, whatever it is really. */
export interface StepPlace {
  readonly value: unknown;
  /** From the document's root. */
  readonly path: ValidationIssue['path'];
  /** The id of the step that it stands in, and how: `loop.forEach`, `onFailure`; empty for a step itself. */
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

/** Whether a `spec` lists more steps, sub-steps and handlers than a workflow may have. Looks at lengths only. */
export const hasTooManySteps = (spec: unknown): boolean => {
  const steps = listAt(spec, 'steps');
  let count = steps.length + listAt(spec, 'onFailure').length;
  for (const step of count > MAX_ALL_STEPS ? [] : steps) {
    count += listAt(memberOf(step, 'forEach'), 'steps').length + listAt(step, 'parallel').length;
  }
  return count > MAX_ALL_STEPS;
};

/**
 * Every step and sub-step of a `spec`, right or wrong, in the order of the document; none when there are too many. A
 * `Workflow`'s own spec fits as well.
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
