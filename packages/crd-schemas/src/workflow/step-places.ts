import { STEP_ID, type TextBounds } from '../fields/field-facts.ts';
import { validateText } from '../fields/fields.ts';
import { MAX_ALL_STEPS, MAX_STEP_ID_CHARS } from '../fields/limits.ts';
import { type ValidationIssue, readOwnMember } from '../fields/validation-issue.ts';
import type { Workflow } from './workflow.ts';

/** The bounds of the id of a step or a sub-step. @spec §2.7 id, §8 */
export const STEP_ID_BOUNDS = {
  min: 1,
  max: MAX_STEP_ID_CHARS,
  pattern: STEP_ID,
} as const satisfies TextBounds;

/** Returns the id of a step, valid or invalid; empty when it has none. */
const readStepId = (step: unknown): string => {
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

const listSubPlaces = (
  list: readonly unknown[],
  path: ValidationIssue['path'],
  within: string,
): readonly StepPlace[] =>
  Array.from(list, (value, index) => ({ value, path: [...path, index], within }));

const listPlaces = (step: unknown, path: ValidationIssue['path']): readonly StepPlace[] => [
  { value: step, path, within: '' },
  ...listSubPlaces(
    listAt(readOwnMember(step, 'forEach'), 'steps'),
    [...path, 'forEach', 'steps'],
    `${readStepId(step)}.forEach`,
  ),
  ...listSubPlaces(listAt(step, 'parallel'), [...path, 'parallel'], `${readStepId(step)}.parallel`),
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
          listPlaces(step, ['spec', 'steps', index]),
        ),
        ...listSubPlaces(listAt(spec, 'onFailure'), ['spec', 'onFailure'], 'onFailure'),
      ];

const listToolNames = (value: unknown): readonly string[] => {
  const tool = readOwnMember(value, 'tool');
  return typeof tool === 'string' && tool !== '' ? [tool] : [];
};

const sortNames = (names: readonly string[]): readonly string[] =>
  Object.freeze([...new Set(names)].sort());

/**
 * Returns the tools that steps, sub-steps and handlers of a `spec` call, and on request their conditions; right or wrong,
 * sorted, each once.
 */
export const listStepTools = (spec: unknown, withConditions: boolean): readonly string[] =>
  sortNames(
    listStepPlaces(spec).flatMap(({ value }) => [
      ...listToolNames(value),
      ...(withConditions ? listToolNames(readOwnMember(value, 'condition')) : []),
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

/** A part of a valid workflow that has no effect or is probably an error. @spec §2.7 */
export interface WorkflowWarning {
  readonly kind:
    /** Steps use `store`, the deprecated alias of `output`. */
    | 'deprecated-store'
    /** Steps set `output` or `store`, which has no effect with `spec.output`. */
    | 'inert-flags'
    /** Fields that have no effect at their place. */
    | 'ignored-fields'
    /** Steps whose id is also the name of a loop's result, `<id>_<index>`. */
    | 'shadowed-results'
    /** Conditions on the result of a step that the workflow does not have. */
    | 'unknown-steps';
  /**
   * The places: `a`, `b.forEach.c`, `d.parallel.e.condition.args`, `onFailure.f`, `output`. In the order of the document, never
   * empty.
   */
  readonly steps: readonly string[];
}

const MAX_NAMED = 20;
const LOOP_RESULT = /^(.+)_(?:0|[1-9][0-9]*)$/;

const has = (value: unknown, ...keys: readonly string[]): boolean =>
  keys.some((key) => readOwnMember(value, key) !== undefined);

const formatPlaceName = ({ value, within }: StepPlace): string =>
  within === '' ? readStepId(value) : `${within}.${readStepId(value)}`;

const listPlaceNames = (
  places: readonly StepPlace[],
  ...flags: readonly string[]
): readonly string[] => places.filter(({ value }) => has(value, ...flags)).map(formatPlaceName);

const listUselessArgs = (place: StepPlace): readonly string[] => {
  const condition = readOwnMember(place.value, 'condition');
  const isComposite = has(place.value, 'forEach', 'parallel');
  return [
    ...(isComposite && has(place.value, 'args') ? [`${formatPlaceName(place)}.args`] : []),
    ...(!has(condition, 'tool') && has(condition, 'args')
      ? [`${formatPlaceName(place)}.condition.args`]
      : []),
  ];
};

const listLoopIds = (places: readonly StepPlace[]): ReadonlySet<string> =>
  new Set(
    places
      .filter(({ within }) => within.endsWith('.forEach'))
      .map(({ value }) => readStepId(value)),
  );

/** Returns whether a name is one of a loop's results. */
const isLoopResult = (name: string, loopIds: ReadonlySet<string>): boolean => {
  const [, id] = LOOP_RESULT.exec(name) ?? [];
  return id !== undefined && loopIds.has(id);
};

const listLoopResultNames = (places: readonly StepPlace[]): readonly string[] => {
  const loopIds = listLoopIds(places);
  return places
    .filter(({ value }) => isLoopResult(readStepId(value), loopIds))
    .map(formatPlaceName);
};

const listUnknownReferences = (places: readonly StepPlace[]): readonly string[] => {
  const loopIds = listLoopIds(places);
  const ids = new Set(places.map(({ value }) => readStepId(value)));
  return places
    .filter(({ value }) => {
      const wanted = readOwnMember(readOwnMember(value, 'condition'), 'fromStep');
      return typeof wanted === 'string' && !ids.has(wanted) && !isLoopResult(wanted, loopIds);
    })
    .map(formatPlaceName);
};

/**
 * Returns the warnings about the `spec` of a valid document; at most one of each kind.
 *
 * @spec §2.7 store, output template
 */
export const listWorkflowWarnings = (spec: unknown): readonly WorkflowWarning[] => {
  const places = listStepPlaces(spec);
  const shapesOutput = has(spec, 'output');
  const warnings: readonly WorkflowWarning[] = [
    { kind: 'deprecated-store', steps: listPlaceNames(places, 'store') },
    { kind: 'inert-flags', steps: shapesOutput ? listPlaceNames(places, 'output', 'store') : [] },
    { kind: 'ignored-fields', steps: places.flatMap(listUselessArgs) },
    { kind: 'shadowed-results', steps: listLoopResultNames(places) },
    { kind: 'unknown-steps', steps: listUnknownReferences(places) },
  ];
  return Object.freeze(
    warnings
      .filter(({ steps }) => steps.length > 0)
      .map(({ kind, steps }) => Object.freeze({ kind, steps: Object.freeze(steps) })),
  );
};

const listText = (names: readonly string[]): string =>
  names.length <= MAX_NAMED
    ? names.join(', ')
    : `${names.slice(0, MAX_NAMED).join(', ')} and ${String(names.length - MAX_NAMED)} more`;

const texts: Readonly<Record<WorkflowWarning['kind'], (steps: string) => string>> = {
  'deprecated-store': (steps) =>
    `uses the deprecated 'store' flag on: ${steps}. 'store' is a backwards-compatible alias of 'output' and decides only whether the step's result appears in the returned document. Use 'output' instead.`,
  'inert-flags': (steps) =>
    `declares a workflow-level 'output' template, which replaces the default response, so the per-step 'output'/'store' flags on these steps have no effect on the returned document: ${steps}. Remove them or drop the output template.`,
  'ignored-fields': (steps) =>
    `sets fields that nothing reads: ${steps}. Only tool calls have arguments. Remove these fields.`,
  'shadowed-results': (steps) =>
    `has steps whose ids are also names of a loop's results, <id>_<index>, so that one result replaces the other: ${steps}. Rename them.`,
  'unknown-steps': (steps) =>
    `has conditions on results of steps that it does not have, on: ${steps}. Such a condition fails its step.`,
};

/** Returns the line of a warning, for the log. @spec §2.7 */
export const formatWarning = (warning: WorkflowWarning, name: string): string =>
  `Workflow "${name}" ${texts[warning.kind](listText(warning.steps))}`;
