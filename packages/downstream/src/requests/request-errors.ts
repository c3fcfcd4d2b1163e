import type { ServerTool } from '@gateway/catalog';
import type { McpServer, McpServerState } from '@gateway/crd-schemas';
import type { DownstreamError } from './call.ts';
import { sanitisedLine } from '../wire/reason.ts';
import { sessionReason } from '../wire/request-outcome.ts';
import type { RequestFailure } from '../wire/request-outcome.ts';
import { secretsOf } from '../wire/referenced-values.ts';
import type { RequestConnection } from './request-connection.ts';

/** The part of a server that requests use. */
export interface RequestPeer {
  readonly definition: McpServer;
  /** The state that the status of the resource shows. */
  readonly statusState: McpServerState;
  /** The server answered HTTP 401. */
  readonly requiresAuth: boolean;
  /** `undefined` while the server is not connected. */
  readonly connection: RequestConnection | undefined;
  readonly tools: readonly ServerTool[];
  /** Resolves when no attempt to connect is in progress; absent when asking for the peer again waits for it. */
  atRest?(): Promise<void>;
  /** Why there is no connection; derived from the state when it is absent. */
  readonly refusal?: DownstreamError;
}

const UNAUTHORIZED = 401;

/** Returns the public error of a failed request. */
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
    case 'input-required': {
      const reason = 'the server requires input, which this request cannot provide';
      return { code: 'response.invalid', server, reason };
    }
    case 'not-given':
      return { code: 'input.not-given', server, reason: shown(failure.reason) };
    case 'invalid':
      return { code: 'response.invalid', server, reason: shown(failure.reason) };
  }
};

/** Returns the error of a request to a server without a connection. */
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
