import type { CallContext, CallOutcome, ProgressReport } from '@gateway/call-contract';
import { workflowAvailability, workflowToolName, type CatalogSnapshot } from '@gateway/catalog';
import type { MetaToolPorts } from '@gateway/meta-tools';
import {
  workflowRefusalText,
  type RunOptions,
  type WorkflowEngine,
  type WorkflowRefusal,
} from '@gateway/workflow-engine';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';
import type { LiveWorkflows } from './live-workflows.ts';
import { chainOf } from './step-context.ts';

/** What calls of execution tools work with. */
export interface WorkflowCallParts {
  readonly workflows: LiveWorkflows;
  readonly engine: WorkflowEngine;
  readonly snapshot: () => CatalogSnapshot;
  readonly metrics: Pick<Metrics, 'workflowTimer'>;
  readonly logger: Logger;
}

/** Runs the workflow of an execution tool. Whatever happens is a result; one that cannot start leaves no record. */
export function workflowCalls(parts: WorkflowCallParts): MetaToolPorts['callWorkflow'] {
  const { workflows, engine, snapshot, metrics, logger } = parts;
  return async (toolName, args, context) => {
    const workflow = workflows.ofTool(toolName);
    if (workflow === undefined) {
      const name = toolName.slice(workflowToolName('').length);
      return refused({ code: 'workflow.unknown', name });
    }
    const { name } = workflow.metadata;
    const { available, missing } = workflowAvailability(snapshot(), name);
    if (!available) {
      logger.info({ workflow: name, missing }, 'workflow is not available');
      return refused({ code: 'workflow.unavailable', name, missing });
    }
    const start = performance.now();
    const result = await engine.run(workflow, args, runOptions(context));
    const verdict = result['isError'] === true ? 'failed' : 'completed';
    metrics.workflowTimer(name).finished(start, verdict);
    return { ok: true, result };
  };
}

function runOptions(context: CallContext): RunOptions {
  const { signal, onProgress } = context;
  const report =
    onProgress &&
    ((progress: ProgressReport) => {
      onProgress({ ...progress });
    });
  return { signal, onProgress: report, chain: chainOf(context), caller: context };
}

const refused = (refusal: WorkflowRefusal): CallOutcome => ({
  ok: true,
  result: { content: [{ type: 'text', text: workflowRefusalText(refusal) }], isError: true },
});
