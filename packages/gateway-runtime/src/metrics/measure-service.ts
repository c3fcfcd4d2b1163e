import { memberOf } from '@gateway/mcp-wire';
import type { McpService, ServiceAnswer } from '@gateway/mcp-http';
import type { CallVerdict, CallTimer } from './call-metrics.ts';

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
