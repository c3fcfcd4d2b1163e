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

/** The part of a server that the errors of its requests name. */
type AskedPeer = Pick<RequestPeer, 'definition' | 'requiresAuth'>;

const UNAUTHORIZED = 401;

const errors: {
  readonly [K in RequestFailure['kind']]: (
    failure: Extract<RequestFailure, { kind: K }>,
    peer: AskedPeer,
  ) => DownstreamError;
} = {
  refused: ({ rpcCode, message, ...refused }, { definition }) => ({
    code: 'request.refused',
    server: definition.metadata.name,
    rpcCode,
    message,
    ...('data' in refused ? { data: refused.data } : {}),
  }),
  timeout: ({ timeoutMs }, { definition }) => ({
    code: 'request.timeout',
    server: definition.metadata.name,
    timeoutMs,
  }),
  cancelled: (_failure, { definition }) => ({
    code: 'request.cancelled',
    server: definition.metadata.name,
  }),
  lost: ({ reason, httpStatus }, { definition, requiresAuth }) =>
    requiresAuth || httpStatus === UNAUTHORIZED
      ? { code: 'server.auth-required', server: definition.metadata.name }
      : {
          code: 'server.connection-lost',
          server: definition.metadata.name,
          reason: sanitisedLine(reason, secretsOf(definition)),
        },
  'session-refused': (failure, { definition }) => ({
    code: 'server.connection-lost',
    server: definition.metadata.name,
    reason: sanitisedLine(sessionReason(failure), secretsOf(definition)),
  }),
  unauthorized: ({ reason }, { definition }) => ({
    code: 'server.auth-required',
    server: definition.metadata.name,
    reason,
  }),
  'input-required': (_failure, { definition }) => ({
    code: 'response.invalid',
    server: definition.metadata.name,
    reason: 'the server requires input, which this request cannot provide',
  }),
  'not-given': ({ reason }, { definition }) => ({
    code: 'input.not-given',
    server: definition.metadata.name,
    reason: sanitisedLine(reason, secretsOf(definition)),
  }),
  invalid: ({ reason }, { definition }) => ({
    code: 'response.invalid',
    server: definition.metadata.name,
    reason: sanitisedLine(reason, secretsOf(definition)),
  }),
};

const errorOf = <K extends RequestFailure['kind']>(
  kind: K,
  failure: Extract<RequestFailure, { kind: K }>,
  peer: AskedPeer,
): DownstreamError => errors[kind](failure, peer);

/** Returns the public error of a failed request. */
export const errorOfFailure = (failure: RequestFailure, peer: AskedPeer): DownstreamError =>
  errorOf(failure.kind, failure, peer);

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
