import { memberOf } from '../resource-identity.ts';
import { idOf, placesOf, type StepPlace } from './places-of.ts';
import type { WorkflowSpec } from './workflow.ts';

/** Something that a valid workflow would better not do. @spec §2.7 */
export interface WorkflowWarning {
  readonly kind:
    /** Steps use `store`, the deprecated alias of `output`. */
    | 'deprecated-store'
    /** Steps set `output` or `store`, which `spec.output` makes meaningless. */
    | 'inert-flags';
  /** Where: `a`, `b.forEach.c`, `d.parallel.e`, `onFailure.f`. In the document's order, never empty. */
  readonly steps: readonly string[];
}

const MAX_NAMED = 20;

const nameOf = ({ value, within }: StepPlace): string =>
  within === '' ? idOf(value) : `${within}.${idOf(value)}`;

const namesWith = (spec: WorkflowSpec, ...flags: readonly string[]): readonly string[] =>
  placesOf(spec)
    .filter(({ value }) => flags.some((flag) => memberOf(value, flag) !== undefined))
    .map(nameOf);

/** What a workflow would better not do; at most one warning of a kind. @spec §2.7 store, output template */
export const warningsOf = (spec: WorkflowSpec): readonly WorkflowWarning[] => {
  const warnings: readonly WorkflowWarning[] = [
    { kind: 'deprecated-store', steps: namesWith(spec, 'store') },
    {
      kind: 'inert-flags',
      steps: spec.output === undefined ? [] : namesWith(spec, 'output', 'store'),
    },
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

const texts: Readonly<Record<WorkflowWarning['kind'], (name: string, steps: string) => string>> = {
  'deprecated-store': (name, steps) =>
    `Workflow "${name}" uses the deprecated 'store' flag on: ${steps}. 'store' is a backwards-compatible alias of 'output' and decides only whether the step's result appears in the returned document; use 'output' instead.`,
  'inert-flags': (name, steps) =>
    `Workflow "${name}" declares a workflow-level 'output' template, which replaces the default response, so the per-step 'output'/'store' flags on these steps have no effect on the returned document: ${steps}. Remove them or drop the output template.`,
};

/** The line of a warning, for the log. @spec §2.7 */
export const workflowWarningText = (warning: WorkflowWarning, name: string): string =>
  texts[warning.kind](name, listText(warning.steps));
