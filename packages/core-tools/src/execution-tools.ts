import { ANONYMOUS, isAdministrator } from '@gateway/call-contract';
import {
  EXECUTION_STATUSES,
  type ExecutionRecord,
  type ExecutionStatus,
  type RunStarter,
} from '@gateway/crd-schemas';
import {
  toExecutionList,
  type ExecutionListQuery,
  toExecutionView,
  formatError,
  isStartedBy,
} from '@gateway/workflow-engine';
import {
  type CoreTool,
  defineCoreTool,
  createErrorResult,
  createObjectResult,
  READS,
} from './core-tool.ts';
import type { CoreCallContext, CoreToolPorts } from './ports.ts';

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 50;

/** Returns the user to whose runs a caller is restricted; `undefined` for a caller who may see all. */
const findRestriction = ({ principal = ANONYMOUS }: CoreCallContext): RunStarter | undefined => {
  if (isAdministrator(principal)) return undefined;
  const { issuer = '', subject } = principal;
  return { issuer, subject };
};

interface ListArguments {
  readonly workflow_name: string | undefined;
  readonly status: string | undefined;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

const toListQuery = (
  args: ListArguments,
  startedBy: RunStarter | undefined,
): ExecutionListQuery => ({
  ...(args.workflow_name !== undefined && { workflowName: args.workflow_name }),
  // The table of arguments allows only these values.
  ...(args.status !== undefined && { status: args.status as ExecutionStatus }),
  ...(startedBy !== undefined && { startedBy }),
  limit: args.limit ?? DEFAULT_LIMIT,
  offset: args.offset ?? 0,
});

/** Returns the record that a caller may see. Another user's run is like an unknown one. */
const findVisibleRecord = async (
  id: string,
  ports: CoreToolPorts,
  context: CoreCallContext,
): Promise<ExecutionRecord | undefined> => {
  const record = await ports.executions.get(id);
  const only = findRestriction(context);
  if (record === undefined || only === undefined) return record;
  return isStartedBy(record, only) ? record : undefined;
};

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
      const query = toListQuery(args, findRestriction(context));
      return createObjectResult(toExecutionList(await ports.executions.list(query), query));
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
      const record = await findVisibleRecord(id, ports, context);
      if (record === undefined)
        return createErrorResult(formatError({ code: 'execution.unknown', id }));
      const shown = toExecutionView(record, { includeSteps, stepId });
      return shown.ok
        ? createObjectResult(shown.value)
        : createErrorResult(formatError(shown.error));
    },
  }),
];
