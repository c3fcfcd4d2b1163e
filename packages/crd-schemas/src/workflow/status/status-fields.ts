import * as z from 'zod/mini';
import { boundedText } from '../../fields/bounded-text.ts';
import { described, named } from '../../fields/field-facts.ts';
import {
  MAX_REFERENCED_TOOLS,
  MAX_STATUS_LINE_CHARS,
  MAX_STATUS_LINES,
  MAX_TOOL_NAME_CHARS,
} from '../../resource/limits.ts';
import { statusConditions, type FieldsOf } from '../../fields/status-fields.ts';
import type { WorkflowStatus } from './workflow-status.ts';

const lines = z
  .array(boundedText({ max: MAX_STATUS_LINE_CHARS }))
  .check(z.maxLength(MAX_STATUS_LINES));
const tools = z
  .array(boundedText({ max: MAX_TOOL_NAME_CHARS }))
  .check(z.maxLength(MAX_REFERENCED_TOOLS));

/** `status` of a `Workflow`, field by field. The gateway writes it; the status of a document is ignored. @spec §2.7 status */
export const workflowStatusFields = named(
  'WorkflowStatus',
  z.strictObject({
    valid: described('True when the document is a valid workflow.', z.boolean()),
    validationErrors: described('The problems of the document, one line each.', lines),
    referencedTools: described(
      'Every tool that the workflow names. Informational: what is available depends on the session of the caller.',
      tools,
    ),
    stepCount: described('Number of top-level steps.', z.int().check(z.minimum(0))),
    conditions: described('Valid.', statusConditions),
  } satisfies FieldsOf<WorkflowStatus>),
);
