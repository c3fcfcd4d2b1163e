import type { Metrics } from './metrics.ts';
import type { EventSink } from '@gateway/events';
import type { ExecutionRecord } from '@gateway/crd-schemas';
import { stepCountsOf, type WorkflowEngine } from '@gateway/workflow-engine';

/** Listeners of an HTTP endpoint. */
interface EndpointListeners {
  /** A request was refused for a reason of the endpoint, such as a limit. */
  readonly onRefusal: (code: string) => void;
  /** A response was sent, or its request ended before there was one. */
  readonly onRequest: (request: { readonly status: number | undefined }) => void;
}

/** Counts the refusals and responses of an endpoint. */
export const measureEndpoint = ({
  requestRefused,
  httpAnswered,
}: Pick<Metrics, 'requestRefused' | 'httpAnswered'>): EndpointListeners => ({
  onRefusal: requestRefused,
  onRequest: ({ status }) => {
    if (status !== undefined) httpAnswered(status);
  },
});

/** Counts the events of this process by reason. Other replicas count theirs. */
export function measureEvents<Recorder extends { readonly emit: EventSink }>(
  recorder: Recorder,
  { eventSeen }: Pick<Metrics, 'eventSeen'>,
): Recorder {
  const emit: EventSink = (event) => {
    eventSeen(event.reason);
    recorder.emit(event);
  };
  return { ...recorder, emit };
}

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
