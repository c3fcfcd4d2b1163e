import type { McpServer, McpServerProtocol } from '@gateway/crd-schemas';
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client';
import type { ClientOptions, SubscriptionFilter } from '@modelcontextprotocol/client';
import type { Era, ServerFeatures } from '../requests/outgoing-requests.ts';
import type { ListCapabilities } from '../lists/server-lists.ts';

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

/** Results are not validated, so the schema validator of the SDK, a megabyte of compiler per client, is replaced. */
const noValidation: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: 'results are not validated here',
  }),
};

/** Returns a client of the SDK without capabilities; the capabilities of callers are declared per call. */
export const createSdkClient = (options: {
  readonly clientInfo: ClientInfo;
  readonly timeoutMs: number;
  /** The only revision that is accepted; absent when the server decides. */
  readonly only?: NamedRevision | undefined;
}): Client =>
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

/** Returns whether the connection ended at the era probe, so that a plain `initialize` is worth another try. */
export const isEraFailure = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;

/** Returns whether the server answered and refused the handshake. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ProtocolError ||
  (error instanceof SdkHttpError && error.data.status >= 400 && error.data.status < 500);
