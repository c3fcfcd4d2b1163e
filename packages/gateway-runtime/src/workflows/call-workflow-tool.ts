import type { CallContext, CallOutcome, Principal, ProgressReport } from '@gateway/call-contract';
import { workflowAvailability, workflowToolName } from '@gateway/catalog';
import type { MetaToolPorts } from '@gateway/meta-tools';
import {
  workflowRefusalText,
  type RunOptions,
  type WorkflowEngine,
  type WorkflowRefusal,
} from '@gateway/workflow-engine';
import type { RefusalLog } from '../audit/refusal-budget.ts';
import type { LiveWorkflows } from './live-workflows.ts';
import { budgetOf, chainOf } from '../services/step-context.ts';

/** Options of {@link callWorkflowTool}. */
export interface WorkflowCallOptions {
  readonly workflows: LiveWorkflows;
  readonly engine: WorkflowEngine;
  /** Returns the catalog of a principal. */
  readonly snapshot: MetaToolPorts['snapshot'];
  readonly logRefusal: RefusalLog;
}

/** Returns a function that runs the workflow of an execution tool. It always has a result. A workflow that cannot start has no record. */
export function callWorkflowTool(options: WorkflowCallOptions): MetaToolPorts['callWorkflow'] {
  const { workflows, engine, snapshot, logRefusal } = options;
  return async (toolName, args, context) => {
    const workflow = workflows.ofTool(toolName);
    if (workflow === undefined) {
      const name = toolName.slice(workflowToolName('').length);
      return refused({ code: 'workflow.unknown', name });
    }
    const { name } = workflow.metadata;
    const { available, missing } = workflowAvailability(snapshot(context.principal), name);
    if (!available) {
      logRefusal(context, { workflow: name, missing }, 'workflow is not available');
      return refused({ code: 'workflow.unavailable', name, missing });
    }
    return { ok: true, result: await engine.run(workflow, args, runOptions(context)) };
  };
}

function runOptions(context: CallContext): RunOptions {
  const { signal, onProgress, callerKey: user } = context;
  const report =
    onProgress &&
    ((progress: ProgressReport) => {
      onProgress({ ...progress });
    });
  const [chain, budget] = [chainOf(context), budgetOf(context)];
  const startedBy = starterOf(context.principal);
  return { signal, onProgress: report, chain, budget, user, startedBy, caller: context };
}

const starterOf = ({ issuer, subject }: Principal): RunOptions['startedBy'] =>
  issuer === undefined ? undefined : { issuer, subject };

const refused = (refusal: WorkflowRefusal): CallOutcome => ({
  ok: true,
  result: { content: [{ type: 'text', text: workflowRefusalText(refusal) }], isError: true },
});
