import { memberOf } from '@gateway/mcp-wire';
import type { McpService, ServiceAnswer } from '@gateway/mcp-http';
import type { CallTimer, CallVerdict } from './call-metrics.ts';
import type { CallContext } from '@gateway/call-contract';
import type { Downstream, DownstreamOutcome } from '@gateway/downstream';
import type { Metrics } from './metrics.ts';
import type { EventSink } from '@gateway/events';
import type { ExecutionRecord } from '@gateway/crd-schemas';
import { stepCountsOf, type WorkflowEngine } from '@gateway/workflow-engine';

/** The requests that callers send to servers. */
export type DownstreamRequests = Pick<
  Downstream,
  'callTool' | 'readResource' | 'getPrompt' | 'complete'
>;

/** Counts and times requests to servers. It does not delay the outcome by a microtask. */
export function measureDownstream(
  downstream: DownstreamRequests,
  { serverTimer }: Pick<Metrics, 'serverTimer'>,
): DownstreamRequests {
  const measure =
    <Request extends { readonly server: string }>(
      send: (request: Request, context: CallContext) => Promise<DownstreamOutcome>,
    ) =>
    (request: Request, context: CallContext): Promise<DownstreamOutcome> => {
      const timer = serverTimer(request.server);
      const start = performance.now();
      const answer = send(request, context);
      const finish = ({ ok }: DownstreamOutcome): void => {
        timer.finished(start, ok ? 'ok' : 'failed');
      };
      answer.then(finish, () => undefined);
      return answer;
    };
  return {
    callTool: measure((call, context) => downstream.callTool(call, context)),
    readResource: measure((read, context) => downstream.readResource(read, context)),
    getPrompt: measure((get, context) => downstream.getPrompt(get, context)),
    complete: measure((question, context) => downstream.complete(question, context)),
  };
}

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

type Call = Parameters<McpService['call']>[0];

/** Counts and times the calls of a service. */
export function measureService(
  service: McpService,
  timerOf: (call: Call) => CallTimer | undefined,
): McpService {
  const call: McpService['call'] = (called, context) => {
    const timer = timerOf(called);
    return timer === undefined
      ? service.call(called, context)
      : measure(timer, () => service.call(called, context));
  };
  // The capabilities of a service change with its servers: they are inherited, not copied.
  return Object.assign(Object.create(service) as McpService, { call });
}

const outcomeOf = (answer: ServiceAnswer): CallVerdict => {
  if (!answer.ok) return 'failed';
  return memberOf(answer.result, 'isError') === true ? 'error_result' : 'ok';
};

/** Most answers are synchronous, and stay so. */
function measure(
  timer: CallTimer,
  call: () => ServiceAnswer | Promise<ServiceAnswer>,
): ServiceAnswer | Promise<ServiceAnswer> {
  const start = performance.now();
  const finish = (answer: ServiceAnswer): void => {
    timer.finished(start, outcomeOf(answer));
  };
  const fail = (): void => {
    timer.finished(start, 'failed');
  };
  try {
    const answer = call();
    if (answer instanceof Promise) answer.then(finish, fail);
    else finish(answer);
    return answer;
  } catch (error) {
    fail();
    throw error;
  }
}
