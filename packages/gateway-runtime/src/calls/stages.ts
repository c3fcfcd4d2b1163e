import type { CallContext } from '@gateway/call-contract';
import type { DownstreamOutcome } from '@gateway/downstream';
import type { McpService } from '@gateway/mcp-http';
import { auditCalls, auditServerRequests } from './audit-stage.ts';
import { answerAuthStatus } from './auth-status-stage.ts';
import { measureCalls, measureServerRequests } from './measure-stage.ts';
import { takeServerSlot } from './slots-stage.ts';
import {
  inOrder,
  type CallStage,
  type Next,
  type ServerRequest,
  type ServerRequests,
  type ServerRequestStage,
} from './stage.ts';

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
