import * as z from 'zod';
import { boundedText } from '../../fields/bounded-text.ts';
import { jsonMap } from '../../fields/json-fields.ts';
import { VARIABLE_NAME } from '../../fields/text-pattern.ts';
import {
  DEFAULT_LOOP_VARIABLE,
  MAX_DESCRIPTION_CHARS,
  MAX_STEPS,
  MAX_STEP_ID_CHARS,
  MAX_SUB_STEPS,
  MAX_WORKFLOW_DESCRIPTION_CHARS,
} from '../../limits.ts';
import { argumentFields } from './argument-fields.ts';
import { conditionFields, templateText, toolName } from './condition-fields.ts';
import { STEP_ID_BOUNDS } from '../step-id.ts';
import { templateCheck } from './template-checks.ts';

const notInASubStep = z
  .unknown()
  .refine(() => false, 'a sub-step is always a tool call')
  .exactOptional();

const commonFields = {
  id: boundedText(STEP_ID_BOUNDS),
  args: jsonMap(templateCheck).exactOptional(),
  condition: conditionFields.exactOptional(),
  output: z.boolean().exactOptional(),
  store: z.boolean().exactOptional(),
  allowFailure: z.boolean().default(false),
  description: boundedText({ max: MAX_DESCRIPTION_CHARS }).exactOptional(),
};

const subStepFields = z.strictObject({
  ...commonFields,
  tool: toolName,
  forEach: notInASubStep,
  parallel: notInASubStep,
});

const subSteps = z.array(subStepFields).max(MAX_SUB_STEPS);

const forEachFields = z.strictObject({
  items: templateText,
  as: boundedText({ min: 1, max: MAX_STEP_ID_CHARS, pattern: VARIABLE_NAME }).default(
    DEFAULT_LOOP_VARIABLE,
  ),
  steps: subSteps,
});

const stepFields = z.strictObject({
  ...commonFields,
  tool: toolName.exactOptional(),
  forEach: forEachFields.exactOptional(),
  parallel: subSteps.exactOptional(),
});

/** `spec` of a `Workflow`, field by field. What fields require of each other is in the rules. @spec §2.7 */
export const workflowSpecFields = z.strictObject({
  description: boundedText({ max: MAX_WORKFLOW_DESCRIPTION_CHARS }).default(''),
  args: argumentFields.exactOptional(),
  steps: z.array(stepFields).max(MAX_STEPS),
  onFailure: subSteps.default([]),
  output: jsonMap(templateCheck).exactOptional(),
});

/** `spec` as the fields say it, before what fields require of each other is known to hold. */
export type WorkflowSpecFields = z.output<typeof workflowSpecFields>;

/** A step as its fields say it. */
export type StepFields = WorkflowSpecFields['steps'][number];

/** A sub-step as its fields say it. */
export type SubStepFields = WorkflowSpecFields['onFailure'][number];
