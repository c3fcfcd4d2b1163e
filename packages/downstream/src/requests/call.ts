import type { CallResult } from '@gateway/call-contract';
import type { ServerTool } from '@gateway/catalog';
import type { McpServer, McpServerState } from '@gateway/crd-schemas';
import { sanitisedLine } from '../wire/reason.ts';
import { INPUT_REQUIRED, sessionReason } from '../wire/request-outcome.ts';
import type { RequestFailure } from '../wire/request-outcome.ts';
import { secretsOf } from '../wire/referenced-values.ts';
import type { RequestConnection } from './outgoing-requests.ts';

export type DownstreamError =
  | { readonly code: 'server.unknown'; readonly server: string }
  | { readonly code: 'server.not-connected'; readonly server: string; readonly state: string }
  | {
      readonly code: 'server.auth-required';
      readonly server: string;
      /** Why the sign-in of the caller cannot be used: one line; absent when the caller has not signed in. */
      readonly reason?: string;
    }
  | { readonly code: 'server.connection-lost'; readonly server: string; readonly reason: string }
  /** The server has as many running and waiting requests as it may have. */
  | {
      readonly code: 'server.busy';
      readonly server: string;
      readonly running: number;
      readonly waiting: number;
    }
  | { readonly code: 'request.timeout'; readonly server: string; readonly timeoutMs: number }
  | { readonly code: 'request.cancelled'; readonly server: string }
  | {
      readonly code: 'request.refused';
      readonly server: string;
      readonly rpcCode: number;
      readonly message: string;
      /** The unchanged value of the server; absent when there is none. */
      readonly data?: unknown;
    }
  /** The server requested input that its caller could not or did not give (2026-07-28). */
  | { readonly code: 'input.not-given'; readonly server: string; readonly reason: string }
  | { readonly code: 'response.invalid'; readonly server: string; readonly reason: string };

export type DownstreamOutcome =
  | {
      readonly ok: true;
      readonly result: CallResult;
    }
  | { readonly ok: false; readonly error: DownstreamError };

/** Returns one sentence that names the server. */
export const downstreamErrorText = (error: DownstreamError): string => {
  const { server } = error;
  switch (error.code) {
    case 'server.unknown':
      return `server not found: ${server}`;
    case 'server.not-connected':
      return `server not connected: ${server} (status: ${error.state})`;
    case 'server.auth-required':
      return `user not authenticated to server ${server}${error.reason === undefined ? '' : `: ${error.reason}`}`;
    case 'server.connection-lost':
      return `connection to server ${server} was lost: ${error.reason}`;
    case 'server.busy':
      return `server ${server} has ${error.running} running and ${error.waiting} waiting calls; retry later`;
    case 'request.timeout':
      return `server ${server} did not answer within ${error.timeoutMs / 1000} s`;
    case 'request.cancelled':
      return `request to server ${server} was cancelled`;
    case 'request.refused':
      return `server ${server} refused the request: ${error.message} (code ${error.rpcCode})`;
    case 'input.not-given':
      return `server ${server} requires input that the caller did not provide: ${error.reason}`;
    case 'response.invalid':
      return `server ${server} sent an invalid response: ${error.reason}`;
  }
};

export interface RequestPeer {
  readonly definition: McpServer;
  readonly statusState: McpServerState;
  /** The server answered HTTP 401. */
  readonly requiresAuth: boolean;
  readonly connection: RequestConnection | undefined;
  readonly tools: readonly ServerTool[];
  /** Resolves when no attempt to connect is in progress; absent when asking for the peer again waits for it. */
  atRest?(): Promise<void>;
  /** Why there is no connection; derived from the state when it is absent. */
  readonly refusal?: DownstreamError;
}

const UNAUTHORIZED = 401;

export const toDownstreamError = (
  failure: RequestFailure,
  { definition, requiresAuth }: Pick<RequestPeer, 'definition' | 'requiresAuth'>,
): DownstreamError => {
  const server = definition.metadata.name;
  const shown = (reason: string): string => sanitisedLine(reason, secretsOf(definition));
  switch (failure.kind) {
    case 'refused': {
      const { kind: _kind, httpStatus: _status, namesOtherSession: _other, ...refused } = failure;
      return { code: 'request.refused', server, ...refused };
    }
    case 'timeout':
      return { code: 'request.timeout', server, timeoutMs: failure.timeoutMs };
    case 'cancelled':
      return { code: 'request.cancelled', server };
    case 'lost':
      return requiresAuth || failure.httpStatus === UNAUTHORIZED
        ? { code: 'server.auth-required', server }
        : { code: 'server.connection-lost', server, reason: shown(failure.reason) };
    case 'session-refused':
      return { code: 'server.connection-lost', server, reason: shown(sessionReason(failure)) };
    case 'unauthorized':
      return { code: 'server.auth-required', server, reason: failure.reason };
    case 'input-required':
      return { code: 'response.invalid', server, reason: INPUT_REQUIRED };
    case 'not-given':
      return { code: 'input.not-given', server, reason: shown(failure.reason) };
    case 'invalid':
      return { code: 'response.invalid', server, reason: shown(failure.reason) };
  }
};

export const notConnected = ({
  definition,
  statusState,
  requiresAuth,
  refusal,
}: RequestPeer): DownstreamError => {
  const server = definition.metadata.name;
  if (refusal !== undefined) return refusal;
  return requiresAuth
    ? { code: 'server.auth-required', server }
    : { code: 'server.not-connected', server, state: statusState };
};
