import { EXECUTION_STATUSES, type ExecutionStatus } from '@gateway/crd-schemas';
import {
  executionList,
  executionNotFoundText,
  executionView,
  type ExecutionListQuery,
} from '@gateway/workflow-engine';
import { ANONYMOUS } from '@gateway/call-contract';
import type { CoreCallContext, CoreToolPorts } from '../tool/ports.ts';
import { READS } from '../tool/annotations.ts';
import { defineCoreTool, type CoreTool } from '../tool/core-tool.ts';
import { failedResult, objectResult } from '../tool/result.ts';

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 50;

const queryOf = (args: {
  readonly workflow_name: string | undefined;
  readonly status: string | undefined;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}): ExecutionListQuery => ({
  ...(args.workflow_name !== undefined && { workflowName: args.workflow_name }),
  // The table of arguments allows only these values.
  ...(args.status !== undefined && { status: args.status as ExecutionStatus }),
  limit: args.limit ?? DEFAULT_LIMIT,
  offset: args.offset ?? 0,
});

/**
 * Returns why a person may not see the runs of all persons; `undefined` for administrators, and where callers do not sign in.
 * The records of runs do not name the person who started them.
 */
const refuseOthersRuns = (
  tool: string,
  { mayWrite }: Pick<CoreToolPorts, 'mayWrite'>,
  { principal = ANONYMOUS }: CoreCallContext,
): string | undefined =>
  principal.issuer === undefined || mayWrite(principal, 'gateway')
    ? undefined
    : `${tool} is refused because it shows the runs of all persons; it needs the scope mcp:admin or a group of "auth.adminGroups" in config.yaml`;

/** The tools about runs of workflows. */
export const executionTools: readonly CoreTool[] = [
  defineCoreTool({
    name: 'core_workflow_execution_list',
    description: 'List runs of workflows, newest first.',
    annotations: READS,
    arguments: {
      workflow_name: {
        type: 'string',
        required: false,
        description: 'Only runs of this workflow',
      },
      status: {
        type: 'string',
        required: false,
        description: 'Only runs of this status',
        enum: EXECUTION_STATUSES,
      },
      limit: {
        type: 'integer',
        required: false,
        description: 'How many to list at most',
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
      },
      offset: {
        type: 'integer',
        required: false,
        description: 'How many of the newest to leave out',
        minimum: 0,
        default: 0,
      },
    },
    run: async (args, ports, context) => {
      const refusal = refuseOthersRuns('core_workflow_execution_list', ports, context);
      if (refusal !== undefined) return failedResult(refusal);
      const query = queryOf(args);
      return objectResult(executionList(await ports.executions.list(query), query));
    },
  }),
  defineCoreTool({
    name: 'core_workflow_execution_get',
    description: 'Show one run of a workflow: input, result, and what each step did.',
    annotations: READS,
    arguments: {
      execution_id: {
        type: 'string',
        required: true,
        description: 'Id of the run, execution_id of its result',
        refusals: { missing: 'execution_id is required' },
      },
      include_steps: {
        type: 'boolean',
        required: false,
        description: 'Whether to show the steps',
        default: true,
        refusals: { wrongType: 'include_steps must be a boolean value' },
      },
      step_id: {
        type: 'string',
        required: false,
        description: 'Show only this step',
        refusals: {
          isNull: 'step_id cannot be null',
          isBlank: 'step_id is invalid: cannot be empty',
        },
      },
    },
    run: async (
      { execution_id: id, include_steps: includeSteps = true, step_id: stepId },
      ports,
      context,
    ) => {
      const refusal = refuseOthersRuns('core_workflow_execution_get', ports, context);
      if (refusal !== undefined) return failedResult(refusal);
      const record = await ports.executions.get(id);
      if (record === undefined) return failedResult(executionNotFoundText(id));
      const shown = executionView(record, { includeSteps, stepId });
      return shown.ok ? objectResult(shown.view) : failedResult(shown.text);
    },
  }),
];
