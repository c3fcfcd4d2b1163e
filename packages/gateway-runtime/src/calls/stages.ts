import type { CallContext, CallOutcome } from '@gateway/call-contract';
import {
  type Downstream,
  type DownstreamError,
  type DownstreamOutcome,
  formatDownstreamError,
} from '@gateway/downstream';
import type { McpService } from '@gateway/mcp-http';
import { auditCalls, auditServerRequests } from './audit-stage.ts';
import { answerAuthStatus } from './auth-status-stage.ts';
import { measureCalls, measureServerRequests } from './measure-stage.ts';
import { limitRequests } from './limits-stage.ts';
import type { Next, ServerRequest, ServerRequests, Stage, CallStage } from './stage.ts';

/** The parts that the stages of a call use; `undefined` leaves a stage out. */
interface CallStageParts {
  /** Resolves when the start of each server was attempted; absent where calls do not wait for it. */
  readonly started: Promise<unknown> | undefined;
  readonly audit: Parameters<typeof auditCalls>[0];
  readonly authStatus: Parameters<typeof answerAuthStatus>[0];
  readonly findTimer: Parameters<typeof measureCalls>[0];
}

/** The path of a call, from the endpoint to the meta-tools or the native surface. */
export const createCallPath = (parts: CallStageParts, answer: McpService['call']) =>
  composeStages(
    [
      parts.started && waitForStart(parts.started),
      auditCalls(parts.audit),
      answerAuthStatus(parts.authStatus),
      measureCalls(parts.findTimer),
    ],
    answer,
  );

/** The path of a request, from the meta-tools or the native surface to a server. */
export const createRequestPath = (
  limits: Parameters<typeof limitRequests>[0],
  serverTimer: Parameters<typeof measureServerRequests>[0],
  servers: Pick<Downstream, keyof ServerRequests>,
): ServerRequests => {
  const limit = limitRequests(limits);
  const measure = measureServerRequests(serverTimer);
  const through = <R extends ServerRequest>(
    send: Next<R, CallContext, Promise<DownstreamOutcome>>,
  ): Next<R, CallContext, Promise<CallOutcome>> => {
    const path = composeStages<R, CallContext, Promise<DownstreamOutcome>>(
      [auditServerRequests, limit, measure],
      send,
    );
    return (request, context) => path(request, context).then(toCallOutcome);
  };
  return {
    callTool: through((call, context) => servers.callTool(call, context)),
    readResource: through((read, context) => servers.readResource(read, context)),
    getPrompt: through((get, context) => servers.getPrompt(get, context)),
    complete: through((question, context) => servers.complete(question, context)),
  };
};

/** Returns a function that passes a request through stages, the first one first. */
const composeStages = <Request, Context, Answer>(
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

const toCallOutcome = (outcome: DownstreamOutcome): CallOutcome =>
  outcome.ok ? outcome : toFailure(outcome.error);

/** Converts an error of a server to the failure of a call. */
export function toFailure(error: DownstreamError): Extract<CallOutcome, { readonly ok: false }> {
  const text = formatDownstreamError(error);
  if (error.code !== 'request.refused') return { ok: false, text };
  const { rpcCode: code, message, data } = error;
  return { ok: false, text, error: { code, message, ...(data !== undefined && { data }) } };
}
