import type { McpServer, McpServerProtocol } from '@gateway/crd-schemas';
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import type {
  ClientOptions,
  ServerCapabilities,
  SubscriptionFilter,
} from '@modelcontextprotocol/client';
import type { ClientFeatures, ServerFeatures, Era } from '../requests/request-connection.ts';
import { serverFeatures } from '../requests/request-connection.ts';
import type { ListCapabilities } from '../lists/server-lists.ts';
import type { InterceptingTransport } from '../requests/intercepting-transport.ts';

/** A revision of MCP that a definition names. */
type NamedRevision = Exclude<McpServerProtocol, 'auto'>;

const ERAS: Readonly<Record<NamedRevision, Era>> = {
  '2025-11-25': 'legacy',
  '2026-07-28': 'modern',
};

/** Returns the only revision in which a server may be connected; `undefined` when the server decides. */
export const onlyRevision = ({ spec }: Pick<McpServer, 'spec'>): NamedRevision | undefined =>
  spec.protocol === undefined || spec.protocol === 'auto' ? undefined : spec.protocol;

/** Returns the era of the only revision of a server, or else its last known one. */
export const eraToTry = (
  server: Pick<McpServer, 'spec'>,
  knownEra: Era | undefined,
): Era | undefined => {
  const only = onlyRevision(server);
  return only === undefined ? knownEra : ERAS[only];
};

/** The name and version of the gateway. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** The result of the negotiation. */
export interface Negotiated {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo?: ClientInfo;
  readonly capabilities: ListCapabilities;
  /** The lists whose changes a 2026-07-28 server announces. */
  readonly announces: SubscriptionFilter;
  readonly features: ServerFeatures;
}

/** The identity, the era and the bounds with which a connection is negotiated. */
export interface NegotiationOptions {
  readonly clientInfo: ClientInfo;
  /** The client capabilities that are declared to a 2025 server. */
  readonly clientFeatures: ClientFeatures;
  /** The last known era of the server. `legacy` skips the era probe. */
  readonly knownEra: Era | undefined;
  /** The only revision that is accepted; absent when the server decides. `knownEra` belongs to it. */
  readonly only?: NamedRevision | undefined;
  /** Time without an answer to the era probe after which `initialize` is sent too, in milliseconds; never when it is `undefined`. */
  readonly fallbackMs: number | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Results are not validated, so the schema validator of the SDK, a megabyte of compiler per client, is replaced. */
const noValidation: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: 'results are not validated here',
  }),
};

/** Returns a client of the SDK without capabilities; the capabilities of callers are declared per call. */
export const createSdkClient = (
  options: Pick<NegotiationOptions, 'clientInfo' | 'timeoutMs' | 'only'>,
): Client =>
  new Client(
    { ...options.clientInfo },
    {
      capabilities: {},
      jsonSchemaValidator: noValidation,
      versionNegotiation: {
        mode: options.only === '2026-07-28' ? { pin: options.only } : 'auto',
        probe: { timeoutMs: options.timeoutMs },
      },
    },
  );

const announcedBy = (capabilities: ServerCapabilities): SubscriptionFilter => ({
  ...(capabilities.tools?.listChanged === true ? { toolsListChanged: true } : {}),
  ...(capabilities.resources?.listChanged === true ? { resourcesListChanged: true } : {}),
  ...(capabilities.prompts?.listChanged === true ? { promptsListChanged: true } : {}),
});

/** Negotiates the era and the version on a new transport. Rejects with the error of the SDK. */
export const negotiate = async (
  client: Client,
  interceptor: InterceptingTransport,
  options: NegotiationOptions,
): Promise<Negotiated> => {
  const { clientInfo, fallbackMs } = options;
  interceptor.declare(options.clientFeatures);
  if (fallbackMs !== undefined) interceptor.fallBackAfter(fallbackMs, clientInfo);
  await client.connect(interceptor, {
    timeout: options.timeoutMs,
    signal: options.signal,
    ...(options.knownEra === 'legacy' ? { prior: { kind: 'legacy' } } : {}),
  });
  const capabilities = client.getServerCapabilities() ?? {};
  const protocolVersion = client.getNegotiatedProtocolVersion() ?? 'unknown';
  const era = client.getProtocolEra() ?? 'legacy';
  const server = client.getServerVersion();
  if (era === 'modern') interceptor.useModernEnvelope(protocolVersion, { ...clientInfo });
  return {
    era,
    protocolVersion,
    ...(server === undefined ? {} : { serverInfo: { name: server.name, version: server.version } }),
    capabilities: {
      tools: capabilities.tools !== undefined,
      resources: capabilities.resources !== undefined,
      prompts: capabilities.prompts !== undefined,
    },
    announces: announcedBy(capabilities),
    features: serverFeatures(capabilities),
  };
};

/** Returns whether the connection ended at the era probe, so that a plain `initialize` is worth another try. */
export const isEraFailure = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;

/** Returns whether the server answered and refused the handshake. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ProtocolError ||
  (error instanceof SdkHttpError && error.data.status >= 400 && error.data.status < 500);
