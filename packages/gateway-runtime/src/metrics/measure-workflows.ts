import type { ExecutionRecord } from '@gateway/crd-schemas';
import { stepCountsOf, type WorkflowEngine } from '@gateway/workflow-engine';
import type { Metrics } from './metrics.ts';

/** Counts and times the runs of workflows. */
export const measureEngine = (
  engine: WorkflowEngine,
  { workflowTimer }: Pick<Metrics, 'workflowTimer'>,
): WorkflowEngine => ({
  run: async (workflow, args, options) => {
    const start = performance.now();
    const result = await engine.run(workflow, args, options);
    const outcome = result['isError'] === true ? 'failed' : 'completed';
    workflowTimer(workflow.metadata.name).finished(start, outcome);
    return result;
  },
});

/** Counts the steps of a run that has ended. */
export const measureRecords =
  (
    record: (run: ExecutionRecord) => void | Promise<void>,
    { workflowSteps }: Pick<Metrics, 'workflowSteps'>,
  ): ((run: ExecutionRecord) => void | Promise<void>) =>
  (run) => {
    if (run.status !== 'inprogress') workflowSteps(stepCountsOf(run));
    return record(run);
  };
