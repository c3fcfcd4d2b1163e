import * as z from 'zod/mini';
import { boundedText } from '../../fields/bounded-text.ts';
import { described, named, withFacts } from '../../fields/field-facts.ts';
import { VARIABLE_NAME } from '../../fields/text-pattern.ts';
import {
  DEFAULT_LOOP_VARIABLE,
  MAX_DESCRIPTION_CHARS,
  MAX_STEPS,
  MAX_STEP_ID_CHARS,
  MAX_SUB_STEPS,
  MAX_WORKFLOW_DESCRIPTION_CHARS,
} from '../../resource/limits.ts';
import { argumentFields } from './argument-fields.ts';
import { conditionFields, toolName } from './condition-fields.ts';
import { STEP_ID_BOUNDS } from '../model/step-id.ts';
import { templatedMap, templateText } from './templated-fields.ts';

const notInASubStep = z.exactOptional(
  withFacts(
    { isRefused: true },
    z.unknown().check(z.refine(() => false, 'a sub-step is always a tool call')),
  ),
);

const note = z.exactOptional(boundedText({ max: MAX_DESCRIPTION_CHARS }));
const tool = described('Exposed name of the tool to call.', toolName);

const commonFields = {
  id: described('Unique in the workflow.', boundedText(STEP_ID_BOUNDS)),
  args: described(
    'Arguments of the tool; texts may be templates: {{ .input.<arg> }}, {{ .results.<id>.<field> }}.',
    z.exactOptional(templatedMap()),
  ),
  condition: described(
    'The condition for running the step: exactly one of template, tool, fromStep.',
    z.exactOptional(conditionFields),
  ),
  output: described('Show the result in the returned document.', z.exactOptional(z.boolean())),
  store: described('Deprecated: use output.', z.exactOptional(z.boolean())),
  allowFailure: described('Go on when this fails.', z._default(z.boolean(), false)),
  description: described('The purpose of the step.', note),
};

const subStepFields = named(
  'SubStep',
  z.strictObject({
    ...commonFields,
    tool,
    forEach: notInASubStep,
    parallel: notInASubStep,
  }),
);

const subSteps = z.array(subStepFields).check(z.maxLength(MAX_SUB_STEPS));

const forEachFields = named(
  'ForEach',
  z.strictObject({
    items: described('Template that gives a list.', templateText),
    as: described(
      'Name of the item: {{ .vars.<as> }}, its index {{ .vars.<as>_index }}.',
      z._default(
        boundedText({ min: 1, max: MAX_STEP_ID_CHARS, pattern: VARIABLE_NAME }),
        DEFAULT_LOOP_VARIABLE,
      ),
    ),
    steps: described('Run in order for each item.', subSteps),
  }),
);

const stepFields = named(
  'Step',
  z.strictObject({
    ...commonFields,
    tool: z.exactOptional(tool),
    forEach: described('Runs its steps once for each item.', z.exactOptional(forEachFields)),
    parallel: described('Sub-steps that run at once.', z.exactOptional(subSteps)),
  }),
);

/** The fields of `spec` of a `Workflow`. Requirements between fields are in the rules. @spec §2.7 */
export const workflowSpecFields = named(
  'WorkflowSpec',
  z.strictObject({
    description: described(
      'The only text by which an agent discovers the workflow.',
      z._default(boundedText({ max: MAX_WORKFLOW_DESCRIPTION_CHARS }), ''),
    ),
    args: described('Arguments by name.', z.exactOptional(argumentFields)),
    steps: described(
      'Run in order; each is exactly one of tool, forEach and parallel.',
      z.array(stepFields).check(z.maxLength(MAX_STEPS)),
    ),
    onFailure: described(
      'Cleanup after a failure that is not allowed; run in order, tolerating their own failures.',
      z._default(subSteps, []),
    ),
    output: described(
      'Template of the returned document, in place of the default one.',
      z.exactOptional(templatedMap()),
    ),
  }),
);

/** `spec` before the rules between fields are evaluated. */
export type WorkflowSpecFields = z.output<typeof workflowSpecFields>;

/** A step before the rules between fields are evaluated. */
export type StepFields = WorkflowSpecFields['steps'][number];

/** A sub-step before the rules between fields are evaluated. */
export type SubStepFields = WorkflowSpecFields['onFailure'][number];
