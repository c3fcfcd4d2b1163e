import type { CallContext } from '@gateway/call-contract';
import type { Downstream, DownstreamOutcome } from '@gateway/downstream';
import type { ServiceAnswer, ServiceCall, ServiceCallContext } from '@gateway/mcp-http';

/** Answers or sends what reaches the end of the stages. */
export type Next<Request, Context, Answer> = (request: Request, context: Context) => Answer;

/** A stage on the path of a request: answers it, or passes it on. */
export type Stage<Request, Context, Answer> = (
  request: Request,
  context: Context,
  next: Next<Request, Context, Answer>,
) => Answer;

/** A stage of a call of a client. Most answers are synchronous, and stay so. */
export type CallStage = Stage<
  ServiceCall,
  ServiceCallContext,
  ServiceAnswer | Promise<ServiceAnswer>
>;

/** A request to a server, with the server's own name of the tool or prompt. */
export interface ServerRequest {
  readonly server: string;
  readonly tool?: string;
  readonly prompt?: string;
}

/** A stage of a request to a server. It does not delay the outcome by a microtask. */
export type ServerRequestStage = <Request extends ServerRequest>(
  ...stage: Parameters<Stage<Request, CallContext, Promise<DownstreamOutcome>>>
) => Promise<DownstreamOutcome>;

/** The requests that calls send to servers. */
export type ServerRequests = Pick<
  Downstream,
  'callTool' | 'readResource' | 'getPrompt' | 'complete'
>;

/** Returns a function that passes a request through stages, the first one first. */
export const composeStages = <Request, Context, Answer>(
  stages: readonly (Stage<Request, Context, Answer> | undefined)[],
  last: Next<Request, Context, Answer>,
): Next<Request, Context, Answer> =>
  stages.reduceRight<Next<Request, Context, Answer>>(
    (next, stage) =>
      stage === undefined ? next : (request, context) => stage(request, context, next),
    last,
  );
