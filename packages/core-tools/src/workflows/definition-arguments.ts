import { WORKFLOW_DEFINITION_SCHEMA } from '@gateway/crd-schemas';
import type { ArrayArgument, ObjectArgument, TextArgument } from '../arguments/core-argument.ts';

/** The name of a workflow. */
export const WORKFLOW_NAME = {
  type: 'string',
  required: true,
  description: 'Name of the workflow; its tool is workflow_<name>',
} as const satisfies TextArgument;

/**
 * The fields of a workflow definition. The rules of workflows check their content and lengths.
 *
 * @spec §2.7
 */
export const DEFINITION_ARGUMENTS = {
  name: WORKFLOW_NAME,
  steps: {
    type: 'array',
    required: true,
    description: 'Steps in order; each is exactly one of tool, forEach, parallel',
    schema: WORKFLOW_DEFINITION_SCHEMA.steps,
  },
  description: {
    type: 'string',
    required: false,
    description: 'What the workflow does: agents find it by this text alone',
    maxUnits: Number.POSITIVE_INFINITY,
    schema: WORKFLOW_DEFINITION_SCHEMA.description,
  },
  args: {
    type: 'object',
    required: false,
    description: 'Arguments by name; templates read them as {{ .input.<name> }}',
    schema: WORKFLOW_DEFINITION_SCHEMA.args,
  },
  onFailure: {
    type: 'array',
    required: false,
    description: 'Cleanup sub-steps, run in order when a step fails that may not',
    alias: 'on_failure',
    schema: WORKFLOW_DEFINITION_SCHEMA.onFailure,
  },
  output: {
    type: 'object',
    required: false,
    description: 'Template of the returned document; without it the run is described',
    schema: WORKFLOW_DEFINITION_SCHEMA.output,
  },
} as const satisfies Readonly<Record<string, TextArgument | ArrayArgument | ObjectArgument>>;
