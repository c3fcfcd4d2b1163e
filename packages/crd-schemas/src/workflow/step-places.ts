import { STEP_ID, type TextBounds } from '../fields/field-facts.ts';
import { validateText } from '../fields/fields.ts';
import { MAX_ALL_STEPS, MAX_STEP_ID_CHARS } from '../fields/limits.ts';
import { readOwnMember, type ValidationIssue } from '../fields/validation-issue.ts';
import type { Workflow } from './workflow.ts';

/** The bounds of the id of a step or a sub-step. @spec §2.7 id, §8 */
export const STEP_ID_BOUNDS = {
  min: 1,
  max: MAX_STEP_ID_CHARS,
  pattern: STEP_ID,
} as const satisfies TextBounds;

/** Returns the id of a step, valid or invalid; empty when it has none. */
export const readStepId = (step: unknown): string => {
  const id = readOwnMember(step, 'id');
  return typeof id === 'string' ? id : '';
};

/** Returns the id of a step if it is valid. */
export const findValidStepId = (step: unknown): string | undefined => {
  const id = readStepId(step);
  return validateText(id, STEP_ID_BOUNDS) === undefined ? id : undefined;
};

/** A value of a document at the position of a step or a sub-step; it may be invalid. */
export interface StepPlace {
  readonly value: unknown;
  /** From the document's root. */
  readonly path: ValidationIssue['path'];
  /** The id of the enclosing step and its field: `loop.forEach`, `onFailure`; empty for a step. */
  readonly within: string;
}

const listAt = (value: unknown, key: string): readonly unknown[] => {
  const list = readOwnMember(value, key);
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
    listAt(readOwnMember(step, 'forEach'), 'steps'),
    [...path, 'forEach', 'steps'],
    `${readStepId(step)}.forEach`,
  ),
  ...subPlaces(listAt(step, 'parallel'), [...path, 'parallel'], `${readStepId(step)}.parallel`),
];

/** Returns whether a `spec` lists more steps, sub-steps and handlers than a workflow may have. Reads lengths only. */
export const hasTooManySteps = (spec: unknown): boolean => {
  const steps = listAt(spec, 'steps');
  let count = steps.length + listAt(spec, 'onFailure').length;
  for (const step of count > MAX_ALL_STEPS ? [] : steps) {
    count +=
      listAt(readOwnMember(step, 'forEach'), 'steps').length + listAt(step, 'parallel').length;
  }
  return count > MAX_ALL_STEPS;
};

/**
 * Returns every step and sub-step of a `spec`, valid or not, in the order of the document; none when there are too many. Also
 * accepts the spec of a `Workflow`.
 */
export const listStepPlaces = (spec: unknown): readonly StepPlace[] =>
  hasTooManySteps(spec)
    ? []
    : [
        ...Array.from(listAt(spec, 'steps')).flatMap((step, index) =>
          placesIn(step, ['spec', 'steps', index]),
        ),
        ...subPlaces(listAt(spec, 'onFailure'), ['spec', 'onFailure'], 'onFailure'),
      ];

const toolOf = (value: unknown): readonly string[] => {
  const tool = readOwnMember(value, 'tool');
  return typeof tool === 'string' && tool !== '' ? [tool] : [];
};

const sorted = (names: readonly string[]): readonly string[] =>
  Object.freeze([...new Set(names)].sort());

/**
 * Returns the tools that steps, sub-steps and handlers of a `spec` call, and on request their conditions; right or wrong,
 * sorted, each once.
 */
export const listStepTools = (spec: unknown, withConditions: boolean): readonly string[] =>
  sorted(
    listStepPlaces(spec).flatMap(({ value }) => [
      ...toolOf(value),
      ...(withConditions ? toolOf(readOwnMember(value, 'condition')) : []),
    ]),
  );

/**
 * Returns every tool of a workflow: of steps, conditions, sub-steps and handlers. Sorted, without duplicates. @spec §2.5, §2.7
 */
export const listReferencedTools = ({ spec }: Workflow): readonly string[] =>
  listStepTools(spec, true);

/** Returns the tools without which a workflow cannot run: those it names, without the tools of conditions. Sorted, without duplicates. @spec §2.7 */
export const listRequiredTools = ({ spec }: Workflow): readonly string[] =>
  listStepTools(spec, false);
