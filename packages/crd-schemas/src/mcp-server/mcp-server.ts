import type { ObjectMetadata } from '../fields/object-metadata.ts';
import { API_VERSION } from '../fields/validation-issue.ts';
import type { ServerKind } from '../fields/field-facts.ts';
import { CONNECTION_FIELDS, UNSET_VALUES, type KIND_FIELDS } from '../documents/field-lists.ts';
import type { AuthFields, McpServerSpecFields } from './spec-fields.ts';
import type { ReferenceValues, ValueReference } from './value-reference.ts';

/** `kind` of the resource. @spec §2.6 */
export const MCP_SERVER_KIND = 'MCPServer';

/** The transport of a server. @spec §2.6 type */
export type McpServerType = McpServerSpecFields['type'];

/** The revision of MCP of the connections to a server. */
export type McpServerProtocol = NonNullable<McpServerSpecFields['protocol']>;

/** The types of a server that is reached over HTTP. @spec §2.6 type */
export type RemoteServerType = Exclude<McpServerType, 'stdio'>;

/** Servers that share `name` share one exposed surface; callers choose the instance with `instanceArg`. @spec §2.6 family */
export type McpServerFamily = Readonly<NonNullable<McpServerSpecFields['family']>>;

/** A token exchange before the rules between fields are evaluated. */
export type TokenExchangeFields = NonNullable<AuthFields['tokenExchange']>;

/** The Secret with the credentials of the gateway as a client of an authorization server. @spec §2.6 clientCredentialsSecretRef */
export interface ClientCredentialsSecretRef {
  readonly name: string;
  /** The server's own namespace unless the document names another. */
  readonly namespace: string;
  readonly clientIdKey: string;
  readonly clientSecretKey: string;
}

interface TokenExchangeOptions {
  /** The `iss` that the exchanged token must carry; `resolveExpectedIssuer` derives it when unset. */
  readonly expectedIssuer?: string;
  readonly scopes: string;
  readonly clientCredentialsSecretRef?: ClientCredentialsSecretRef;
}

/** An enabled token exchange with every required field. @spec §2.6 tokenExchange */
export interface EnabledTokenExchange extends TokenExchangeOptions {
  readonly enabled: true;
  readonly dexTokenEndpoint: string;
  readonly connectorId: string;
}

/** A token exchange that is described but switched off. @spec §2.6 tokenExchange */
export interface DisabledTokenExchange extends TokenExchangeOptions {
  readonly enabled: false;
  readonly dexTokenEndpoint?: string;
  readonly connectorId?: string;
}

/** RFC 8693 token exchange. @spec §2.6 tokenExchange */
export type TokenExchange = EnabledTokenExchange | DisabledTokenExchange;

/** The authorization server of a backend without RFC 9728 metadata. @spec §2.6 authorizationServer */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly scopes?: string;
  /** The client that is registered for the gateway at the issuer. */
  readonly clientCredentialsSecretRef?: ClientCredentialsSecretRef;
}

/** The authentication of a remote server. @spec §2.6 auth */
export interface McpServerAuth {
  readonly type: AuthFields['type'];
  readonly forwardToken: boolean;
  readonly requiredAudiences: readonly string[];
  readonly tokenExchange?: TokenExchange;
  readonly authorizationServer?: AuthorizationServer;
}

/** Optional fields of servers of every kind, or of one kind. */
type OptionalFields<Kind extends ServerKind> = Readonly<
  Omit<
    McpServerSpecFields,
    | 'type'
    | 'env'
    | Exclude<(typeof KIND_FIELDS)['stdio' | 'remote'][number], (typeof KIND_FIELDS)[Kind][number]>
  >
>;

/** A server that runs as a child process. @spec §2.6 */
export interface StdioServerSpec extends Omit<
  OptionalFields<'stdio'>,
  'command' | 'args' | 'envFrom'
> {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Variables whose values are in Secrets and ConfigMaps; absent without any. */
  readonly envFrom?: readonly ValueReference[];
  /** Environment variables. Without prototype; values may be secrets. */
  readonly env: Readonly<Record<string, string>>;
}

/** A server that is reached over HTTP. @spec §2.6 */
export interface RemoteServerSpec extends Omit<
  OptionalFields<'remote'>,
  'url' | 'headers' | 'headersFrom' | 'auth'
> {
  readonly type: RemoteServerType;
  readonly url: string;
  /** Environment variables, which remote servers do not use. */
  readonly env: Readonly<Record<string, string>>;
  /** Sent with every request. Without prototype; values may be secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers whose values are in Secrets and ConfigMaps; absent without any. */
  readonly headersFrom?: readonly ValueReference[];
  readonly auth: McpServerAuth;
}

/** `spec` of an `MCPServer`: has the fields that its `type` requires and none that it forbids. @spec §2.6, §7.6 */
export type McpServerSpec = StdioServerSpec | RemoteServerSpec;

/** A downstream MCP server, as its resource describes it. Deeply frozen. @spec §1.5, §2.6 */
export interface McpServer {
  readonly apiVersion: string;
  readonly kind: typeof MCP_SERVER_KIND;
  readonly metadata: ObjectMetadata;
  readonly spec: McpServerSpec;
  /** The values of `envFrom` or `headersFrom`; absent in a parsed document. */
  readonly referenced?: ReferenceValues;
}

/** Returns the values of `spec` whose change replaces the connections of a server; references are compared by their values. */
export const listConnectionValues = (spec: McpServerSpec): readonly unknown[] => {
  const fields: Readonly<Record<string, unknown>> = { ...UNSET_VALUES, ...spec };
  return CONNECTION_FIELDS[spec.type === 'stdio' ? 'stdio' : 'remote'].map((name) => fields[name]);
};

/** The method by which requests to a remote server are authenticated. @spec §2.6 auth */
export type AuthStrategy =
  | { readonly kind: 'tokenExchange'; readonly tokenExchange: EnabledTokenExchange }
  | { readonly kind: 'forwardToken' }
  | { readonly kind: 'oauth'; readonly authorizationServer?: AuthorizationServer }
  | { readonly kind: 'none' };

/**
 * Returns the method with the highest precedence: token exchange before the forwarded token, both before the server's own
 * sign-in. @spec §2.6
 */
export const resolveAuthStrategy = (auth: McpServerAuth): AuthStrategy => {
  const { tokenExchange, authorizationServer } = auth;
  if (tokenExchange?.enabled === true) return { kind: 'tokenExchange', tokenExchange };
  if (auth.forwardToken) return { kind: 'forwardToken' };
  if (auth.type === 'none') return { kind: 'none' };
  return authorizationServer === undefined
    ? { kind: 'oauth' }
    : { kind: 'oauth', authorizationServer };
};

/**
 * Returns the issuer that an exchanged token must name: as configured, else the token endpoint without `/token`. @spec §2.6
 * expectedIssuer
 */
export const resolveExpectedIssuer = (exchange: EnabledTokenExchange): string =>
  exchange.expectedIssuer ?? exchange.dexTokenEndpoint.replace(/\/token\/?$/, '');

/** Returns the annotation of a server that was stopped on request: `<group>/stopped`, with the value `true`. */
export const formatStopAnnotation = (apiGroup: string): string => `${apiGroup}/stopped`;

const annotationOf = ({ apiVersion }: McpServer): string =>
  formatStopAnnotation(apiVersion.slice(0, -`/${API_VERSION}`.length));

/** Returns whether a server was stopped on request, so that it does not start by itself. */
export const isStopRequested = (server: McpServer): boolean => {
  const { annotations = {} } = server.metadata;
  const name = annotationOf(server);
  return Object.hasOwn(annotations, name) && annotations[name] === 'true';
};

/** Returns a server with or without a request to stop; the same object when it is unchanged. */
export const applyStopRequest = (server: McpServer, isRequested: boolean): McpServer => {
  if (isStopRequested(server) === isRequested) return server;
  const { metadata } = server;
  const annotations = Object.freeze({
    ...metadata.annotations,
    [annotationOf(server)]: String(isRequested),
  });
  return Object.freeze({ ...server, metadata: Object.freeze({ ...metadata, annotations }) });
};
