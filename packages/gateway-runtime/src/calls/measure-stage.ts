import type { DownstreamOutcome } from '@gateway/downstream';
import type { ServiceAnswer, ServiceCall, ServiceCallContext } from '@gateway/mcp-http';
import { type CallTimer, findVerdict } from '../metrics/call-metrics.ts';
import type { GatewayMetrics } from '../metrics/metrics.ts';
import type { CallStage, ServerRequestStage } from './stage.ts';

/** Counts and times calls. */
export const measureCalls =
  (
    findTimer: (call: ServiceCall, context: ServiceCallContext) => CallTimer | undefined,
  ): CallStage =>
  (call, context, next) => {
    const timer = findTimer(call, context);
    return timer === undefined ? next(call, context) : measure(timer, () => next(call, context));
  };

/** Counts and times requests to servers. */
export const measureServerRequests =
  (serverTimer: GatewayMetrics['serverTimer']): ServerRequestStage =>
  (request, context, next) => {
    const timer = serverTimer(request.server);
    const start = performance.now();
    const answer = next(request, context);
    const finish = ({ ok }: DownstreamOutcome): void => {
      timer.finished(start, ok ? 'ok' : 'failed');
    };
    answer.then(finish, () => undefined);
    return answer;
  };

/** Times a call. Keeps a synchronous answer synchronous. */
function measure(
  timer: CallTimer,
  call: () => ServiceAnswer | Promise<ServiceAnswer>,
): ServiceAnswer | Promise<ServiceAnswer> {
  const start = performance.now();
  const finish = (answer: ServiceAnswer): void => {
    timer.finished(start, findVerdict(answer));
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
