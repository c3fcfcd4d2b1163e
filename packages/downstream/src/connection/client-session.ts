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
import type { ClientFeatures } from '../requests/client-features.ts';
import { serverFeatures } from '../requests/server-features.ts';
import type { ServerFeatures } from '../requests/server-features.ts';
import type { ListCapabilities } from '../lists/server-lists.ts';
import type { Era } from '../requests/request-connection.ts';
import type { InterceptingTransport } from '../requests/intercepting-transport.ts';

/** Who the gateway says it is. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** What negotiation found out. */
export interface Negotiated {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo?: ClientInfo;
  readonly capabilities: ListCapabilities;
  /** The lists whose changes a 2026-07-28 server offers to announce. */
  readonly announces: SubscriptionFilter;
  readonly features: ServerFeatures;
}

/** How to negotiate. */
export interface NegotiationOptions {
  readonly clientInfo: ClientInfo;
  /** What a 2025 server is told that clients can do. */
  readonly clientFeatures: ClientFeatures;
  /** What the server spoke last time. `legacy` skips the question about it. */
  readonly knownEra: Era | undefined;
  readonly probeMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Results are handed on unread, so the SDK's schema validator, a megabyte of compiler per client, has nothing to do. */
const noValidation: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: 'results are not validated here',
  }),
};

/** A client of the SDK without capabilities: those of callers are declared where their calls are. */
export const createSdkClient = (
  options: Pick<NegotiationOptions, 'clientInfo' | 'probeMs'>,
): Client =>
  new Client(
    { ...options.clientInfo },
    {
      capabilities: {},
      jsonSchemaValidator: noValidation,
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: options.probeMs } },
    },
  );

const announcedBy = (capabilities: ServerCapabilities): SubscriptionFilter => ({
  ...(capabilities.tools?.listChanged === true ? { toolsListChanged: true } : {}),
  ...(capabilities.resources?.listChanged === true ? { resourcesListChanged: true } : {}),
  ...(capabilities.prompts?.listChanged === true ? { promptsListChanged: true } : {}),
});

/** Negotiates the era and the version on a fresh transport. Rejects with the SDK's error. */
export const negotiate = async (
  client: Client,
  interceptor: InterceptingTransport,
  options: NegotiationOptions,
): Promise<Negotiated> => {
  interceptor.declare(options.clientFeatures);
  await client.connect(interceptor, {
    timeout: options.timeoutMs,
    signal: options.signal,
    ...(options.knownEra === 'legacy' ? { prior: { kind: 'legacy' } } : {}),
  });
  const capabilities = client.getServerCapabilities() ?? {};
  const protocolVersion = client.getNegotiatedProtocolVersion() ?? 'unknown';
  const era = client.getProtocolEra() ?? 'legacy';
  const server = client.getServerVersion();
  if (era === 'modern') interceptor.useModernEnvelope(protocolVersion, { ...options.clientInfo });
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

/** Whether the question about the era ended the talk, so that a plain `initialize` deserves a try of its own. */
export const isEraFailure = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;

/** Whether the server itself refused to start a conversation, rather than not being there. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ProtocolError ||
  (error instanceof SdkHttpError && error.data.status >= 400 && error.data.status < 500);
