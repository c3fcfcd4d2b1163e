import type { CallContext } from '@gateway/call-contract';
import type { Downstream, DownstreamOutcome } from '@gateway/downstream';
import type { Metrics } from './metrics.ts';

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
