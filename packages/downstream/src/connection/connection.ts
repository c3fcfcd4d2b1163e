import type { Era } from '@gateway/mcp-wire';
import type { ServerFeatures } from '@gateway/call-contract';
import type { McpServer, McpServerProtocol } from '@gateway/crd-schemas';
import {
  Client,
  type ClientOptions,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type SubscriptionFilter,
} from '@modelcontextprotocol/client';
import type { ListCapabilities, ServerListReader, ServerLists } from '../lists/server-lists.ts';
import {
  createListeningWatch,
  createSubscribingWatch,
  type ResourceWatch,
} from '../lists/subscriptions.ts';
import type { InterceptingTransport } from '../requests/intercepting-transport.ts';
import type { OutgoingRequest } from '../requests/outgoing-requests.ts';
import { ServerLogLevel } from '../requests/log-level.ts';
import type { RequestOutcome } from '../wire/request-outcome.ts';
import type { ConnectionFailure } from './connection-failure.ts';
import type {
  ConnectionDependencies,
  ConnectionObserver,
  ConnectionTarget,
} from './server-link.ts';

type NamedRevision = Exclude<McpServerProtocol, 'auto'>;

const ERAS: Readonly<Record<NamedRevision, Era>> = {
  '2025-11-25': 'legacy',
  '2026-07-28': 'modern',
};

/** Returns the only revision in which a server may be connected; `undefined` when the server decides. */
export const findFixedRevision = ({ spec }: Pick<McpServer, 'spec'>): NamedRevision | undefined =>
  spec.protocol === undefined || spec.protocol === 'auto' ? undefined : spec.protocol;

/** Returns the era of the only revision of a server, or else its last known one. */
export const resolveFirstEra = (
  server: Pick<McpServer, 'spec'>,
  knownEra: Era | undefined,
): Era | undefined => {
  const only = findFixedRevision(server);
  return only === undefined ? knownEra : ERAS[only];
};

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

export interface Negotiated {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo?: ClientInfo;
  readonly capabilities: ListCapabilities;
  /** The lists whose changes a 2026-07-28 server announces. */
  readonly announces: SubscriptionFilter;
  readonly features: ServerFeatures;
}

/** Results are not validated, so the large schema validator of the SDK is not loaded. */
const noValidation: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: 'results are not validated here',
  }),
};

/** Returns a client of the SDK without capabilities; the capabilities of callers are declared per call. */
export const createSdkClient = (
  clientInfo: ClientInfo,
  timeoutMs: number,
  only?: NamedRevision,
): Client =>
  new Client(
    { ...clientInfo },
    {
      capabilities: {},
      jsonSchemaValidator: noValidation,
      versionNegotiation: {
        mode: only === '2026-07-28' ? { pin: only } : 'auto',
        probe: { timeoutMs },
      },
    },
  );

/** Returns whether the connection ended at the era probe, so that a plain `initialize` is worth another try. */
export const isEraFailure = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;

export const isRefusal = (error: unknown): boolean =>
  error instanceof ProtocolError ||
  (error instanceof SdkHttpError && error.data.status >= 400 && error.data.status < 500);

/** Ignores an error of closing: no caller can act on it. */
export const closeIgnoringErrors = (link: { readonly close: () => Promise<void> }): Promise<void> =>
  link.close().catch(() => undefined);

const AUXILIARY_REQUEST_MS = 10_000;

/** Returns the part of a connection that differs by era. */
export const createExtras = (
  interceptor: InterceptingTransport,
  client: Client,
  { era, features }: Negotiated,
  observer: ConnectionObserver,
): Pick<Connection, 'request' | 'resources'> => {
  const request: Connection['request'] = interceptor.request.bind(interceptor);
  if (era === 'modern') return { request, resources: createListeningWatch(client, observer) };
  const sendAuxiliary = (
    method: string,
    params: OutgoingRequest['params'],
  ): Promise<RequestOutcome> => request({ method, params, timeoutMs: AUXILIARY_REQUEST_MS });
  const resources = createSubscribingWatch(sendAuxiliary);
  if (!features.logging) return { request, resources };
  const logLevel = new ServerLogLevel((level) => sendAuxiliary('logging/setLevel', { level }));
  return {
    resources,
    request(outgoing) {
      const raising = logLevel.raise(outgoing.options?.caller?.logLevel);
      return raising === undefined ? request(outgoing) : raising.then(() => request(outgoing));
    },
  };
};

export interface Connection extends Negotiated {
  /** Sends one request. Never rejects and never sends it twice. */
  readonly request: (request: OutgoingRequest) => Promise<RequestOutcome>;
  readonly resources: ResourceWatch;
  readonly lists: ServerLists;
  /** Requests a health check; `onLost` is called when the server is unreachable. */
  verify(): void;
  readonly listReader: ServerListReader;
  close(): Promise<void>;
}

/** The server to connect to, with options. The health of one user's connection is checked only after a request failed to reach the server. */
export interface OpenRequest extends ConnectionTarget {
  readonly clientInfo: ClientInfo;
  /** The last known era of the server, which skips the era probe. */
  readonly knownEra: Era | undefined;
  readonly signal: AbortSignal;
  /** For requests only: lists are not read and their changes are not announced. */
  readonly lean?: boolean;
}

/** A connection, or the failure. A failed attempt leaves no resources behind. */
export type OpenOutcome =
  | { readonly ok: true; readonly connection: Connection }
  | { readonly ok: false; readonly failure: ConnectionFailure };

export interface Attempt {
  readonly request: OpenRequest;
  readonly dependencies: ConnectionDependencies;
  readonly observer: ConnectionObserver;
  readonly boundMs: number;
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly openAnother: (era: Era, signal: AbortSignal) => Promise<OpenOutcome>;
}
