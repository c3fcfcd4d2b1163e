import type { CallContext } from '@gateway/call-contract';
import type { Downstream, DownstreamOutcome } from '@gateway/downstream';
import type { McpService, ServiceAnswer, ServiceCall, ServiceCallContext } from '@gateway/mcp-http';
import { auditCalls, auditServerRequests } from './audit-stage.ts';
import { answerAuthStatus } from './auth-status-stage.ts';
import { measureCalls, measureServerRequests } from './measure-stage.ts';
import { takeServerSlot } from './slots-stage.ts';

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
const inOrder = <Request, Context, Answer>(
  stages: readonly (Stage<Request, Context, Answer> | undefined)[],
  last: Next<Request, Context, Answer>,
): Next<Request, Context, Answer> =>
  stages.reduceRight<Next<Request, Context, Answer>>(
    (next, stage) =>
      stage === undefined ? next : (request, context) => stage(request, context, next),
    last,
  );

/** Delays calls until the start of each server was attempted: a client over stdio has no readiness endpoint. */
const waitForStart =
  (started: Promise<unknown>): CallStage =>
  async (call, context, next) => {
    await started;
    return next(call, context);
  };

/** The parts that the stages of a call use; `undefined` leaves a stage out. */
export interface CallStageParts {
  /** Resolves when the start of each server was attempted; absent where calls do not wait for it. */
  readonly started?: Promise<unknown> | undefined;
  readonly audit: Parameters<typeof auditCalls>[0] | undefined;
  readonly authStatus: Parameters<typeof answerAuthStatus>[0];
  readonly timerOf: Parameters<typeof measureCalls>[0];
}

/** The path of a call, from the endpoint to the meta-tools or the native surface. */
export const throughCallStages = (parts: CallStageParts, answer: McpService['call']) =>
  inOrder(
    [
      parts.started && waitForStart(parts.started),
      parts.audit && auditCalls(parts.audit),
      answerAuthStatus(parts.authStatus),
      measureCalls(parts.timerOf),
    ],
    answer,
  );

/** The parts that the stages of a request to a server use. */
export interface ServerRequestStageParts {
  readonly limits: Parameters<typeof takeServerSlot>[0];
  readonly serverTimer: Parameters<typeof measureServerRequests>[0];
}

/** The path of a request, from the meta-tools or the native surface to a server. */
export const throughServerRequestStages = (
  { limits, serverTimer }: ServerRequestStageParts,
  servers: ServerRequests,
): ServerRequests => {
  const stages: readonly ServerRequestStage[] = [
    auditServerRequests,
    takeServerSlot(limits),
    measureServerRequests(serverTimer),
  ];
  const through = <Request extends ServerRequest>(
    send: Next<Request, CallContext, Promise<DownstreamOutcome>>,
  ) => inOrder<Request, CallContext, Promise<DownstreamOutcome>>(stages, send);
  return {
    callTool: through((call, context) => servers.callTool(call, context)),
    readResource: through((read, context) => servers.readResource(read, context)),
    getPrompt: through((get, context) => servers.getPrompt(get, context)),
    complete: through((question, context) => servers.complete(question, context)),
  };
};
