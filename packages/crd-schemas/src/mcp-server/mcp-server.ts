import * as z from 'zod/mini';
import type { Result } from '@gateway/toolset-grammar';
import { CONNECTION_FIELDS, type KIND_FIELDS, UNSET_VALUES } from '../documents/field-lists.ts';
import type { ServerKind } from '../fields/field-facts.ts';
import {
  type ObjectMetadata,
  freezeDeep,
  objectMetadataFields,
  toObjectMetadata,
} from '../fields/fields.ts';
import { MAX_ISSUES, MAX_URL_CHARS } from '../fields/limits.ts';
import {
  API_VERSION,
  type ValidationIssue,
  formatApiVersion,
  listZodIssues,
  mergeRuleIssues,
  readOwnMember,
  validateIdentity,
} from '../fields/validation-issue.ts';
import { evaluateRules } from '../rules/evaluate-rules.ts';
import { type AuthFields, type McpServerSpecFields, mcpServerSpecFields } from './spec-fields.ts';
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

const formatAnnotation = ({ apiVersion }: McpServer): string =>
  formatStopAnnotation(apiVersion.slice(0, -`/${API_VERSION}`.length));

/** Returns whether a server was stopped on request, so that it does not start by itself. */
export const isStopRequested = (server: McpServer): boolean => {
  const { annotations = {} } = server.metadata;
  const name = formatAnnotation(server);
  return Object.hasOwn(annotations, name) && annotations[name] === 'true';
};

/** Returns a server with or without a request to stop; the same object when it is unchanged. */
export const applyStopRequest = (server: McpServer, isRequested: boolean): McpServer => {
  if (isStopRequested(server) === isRequested) return server;
  const { metadata } = server;
  const annotations = Object.freeze({
    ...metadata.annotations,
    [formatAnnotation(server)]: String(isRequested),
  });
  return Object.freeze({ ...server, metadata: Object.freeze({ ...metadata, annotations }) });
};

/** A part of a text that stands for a value: `${env:NAME}` or `${file:PATH}`. */
export interface Placeholder {
  readonly kind: 'env' | 'file';
  /** The name of the variable, or the path of the file as written. */
  readonly name: string;
}

/** `$${` is an escaped `${`. */
const PLACEHOLDER = /\$\$\{|\$\{(env|file):([^{}\x00]{1,4096})\}/gu;
/** The form of other programs, in which a variable has no prefix. */
const BARE = /(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]{0,255})\}/gu;
/** A placeholder with another prefix than those of the gateway, as a misspelt `${evn:NAME}`. Defaults of shells such as `${A:-b}` are texts. */
const UNKNOWN = /(?<!\$)\$\{(?!(?:env|file):)([A-Za-z]{1,16}):[A-Za-z0-9_./][^{}\x00]{0,255}\}/gu;
/** Two characters of a host, a port or a path. */
const STAND_IN = '11';

/**
 * Returns a text with the values of its placeholders; `$${` becomes `${`, and everything else stays. Values are not searched for
 * placeholders.
 */
export const replacePlaceholders = (
  text: string,
  valueOf: (placeholder: Placeholder) => string,
): string =>
  text.replaceAll(
    PLACEHOLDER,
    (_all, kind: 'env' | 'file' | undefined, name: string | undefined) =>
      kind === undefined || name === undefined ? '${' : valueOf({ kind, name }),
  );

/** Returns the placeholders of a text, in order. */
export const listPlaceholders = (text: string): readonly Placeholder[] => {
  const found: Placeholder[] = [];
  replacePlaceholders(text, (placeholder) => {
    found.push(placeholder);
    return '';
  });
  return found;
};

/** Returns true when file mode changes a text: it has placeholders, or an escape of one. */
export const hasPlaceholders = (text: string): boolean => text.search(PLACEHOLDER) !== -1;

/** Returns the names in a text that other programs would replace, such as `NAME` of `${NAME}`. */
export const listBareNames = (text: string): readonly string[] =>
  [...text.matchAll(BARE)].map(([, name = '']) => name);

/** Returns a URL that is valid when the one with placeholders can become valid. */
const withStandIns = (url: string): string => {
  const replaced = replacePlaceholders(url, () => STAND_IN);
  return /^\$\{(?:env|file):/u.test(url) ? `http://${replaced}` : replaced;
};

/** A text of a server in which file mode replaces placeholders. */
export interface PlaceholderText {
  /** The path in the document: `spec.args[0]`. */
  readonly field: string;
  readonly text: string;
}

const listEntries = (field: string, map: Readonly<Record<string, string>>) =>
  Object.entries(map).map(([name, text]) => ({ field: `${field}.${name}`, text }));

/** Returns the texts of a server in which file mode replaces placeholders: `env`, `args`, `headers` and `url`. */
export const listPlaceholderTexts = (spec: McpServerSpec): readonly PlaceholderText[] =>
  spec.type === 'stdio'
    ? [
        ...listEntries('spec.env', spec.env),
        ...spec.args.map((text, at) => ({ field: `spec.args[${String(at)}]`, text })),
      ]
    : [...listEntries('spec.headers', spec.headers), { field: 'spec.url', text: spec.url }];

/** Returns a sentence for each text of a server that looks like a placeholder and is sent as it is written, without repetitions. */
export const listPlaceholderWarnings = (spec: McpServerSpec): readonly string[] => [
  ...new Set(
    listPlaceholderTexts(spec).flatMap(({ field, text }) => [
      ...listBareNames(text).map(
        (name) =>
          `${field}: \${${name}} is sent as it is written; write \${env:${name}} for the value of the variable, or $\${${name}} for this text`,
      ),
      ...[...text.matchAll(UNKNOWN)].map(
        // The rest may be a secret.
        ([, prefix = '']) =>
          `${field}: \${${prefix}:…} is sent as it is written; write \${env:NAME} or \${file:PATH} for a value, or $\${${prefix}:…} for this text`,
      ),
    ]),
  ),
];

/** Returns the entries of `headersFrom` that differ from a header of `headers` in case only, which no rule in CEL states. RFC 9110 §5.1 */
const listHeaderCaseIssues = ({
  headers = {},
  headersFrom = [],
}: McpServerSpecFields): readonly ValidationIssue[] => {
  const names = Object.keys(headers);
  const known = new Set(names.map((name) => name.toLowerCase()));
  return headersFrom.some(({ name }) => known.has(name.toLowerCase()) && !names.includes(name))
    ? [
        {
          path: ['spec', 'headersFrom'],
          message: 'a header is either in headers or in headersFrom, whatever the case of its name',
        },
      ]
    : [];
};

/** Returns the entries of `spec.tools` that set an argument twice, which no rule in CEL states. */
const listDefaultIssues = ({ tools = [] }: McpServerSpecFields): readonly ValidationIssue[] =>
  tools.flatMap(({ defaults = {}, defaultsFrom = [] }, at) => {
    const names = [...Object.keys(defaults), ...defaultsFrom.map(({ name }) => name)];
    return new Set(names).size === names.length
      ? []
      : [
          {
            path: ['spec', 'tools', at, 'defaultsFrom'],
            message: 'an argument is either in defaults or in defaultsFrom',
          },
        ];
  });

const NOTHING: Readonly<Record<string, string>> = Object.freeze(
  Object.create(null) as Record<string, string>,
);

const NO_AUTH: McpServerAuth = { type: 'none', forwardToken: false, requiredAudiences: [] };

/** Returns the reference to a Secret with the namespace that it means; nothing without a reference. */
const parseSecretRef = (
  { clientCredentialsSecretRef: ref }: Pick<TokenExchangeFields, 'clientCredentialsSecretRef'>,
  namespace: string,
): { readonly clientCredentialsSecretRef?: ClientCredentialsSecretRef } =>
  ref === undefined
    ? {}
    : { clientCredentialsSecretRef: { ...ref, namespace: ref.namespace ?? namespace } };

const parseTokenExchange = (fields: TokenExchangeFields, namespace: string): TokenExchange => {
  const { enabled, dexTokenEndpoint, connectorId } = fields;
  const ref = parseSecretRef(fields, namespace);
  if (!enabled) return { ...fields, enabled, ...ref } as DisabledTokenExchange;
  if (dexTokenEndpoint === undefined || connectorId === undefined)
    throw new Error('an enabled token exchange got past the rules without endpoint or connector');
  return { ...fields, enabled, dexTokenEndpoint, connectorId, ...ref } as EnabledTokenExchange;
};

const parseAuth = (
  { tokenExchange, authorizationServer, ...rest }: AuthFields,
  namespace: string,
): McpServerAuth => ({
  ...rest,
  ...(tokenExchange && { tokenExchange: parseTokenExchange(tokenExchange, namespace) }),
  ...(authorizationServer && {
    authorizationServer: {
      ...authorizationServer,
      ...parseSecretRef(authorizationServer, namespace),
    } as AuthorizationServer,
  }),
});

/**
 * Returns the spec of fields that satisfy every rule; `url` and `command` are dropped where they have no meaning.
 *
 * @param namespace of the server, for references that name none
 */
const parseSpec = (fields: McpServerSpecFields, namespace: string): McpServerSpec => {
  const { type, command, args = [], url, headers = NOTHING, auth, ...common } = fields;
  const { env = NOTHING, envFrom = [], headersFrom = [], ...rest } = common;
  if (type === 'stdio') {
    if (command === undefined) throw new Error('a stdio server got past the rules without command');
    return { ...rest, env, type, command, args, ...(envFrom.length > 0 && { envFrom }) };
  }
  if (url === undefined) throw new Error('a remote server got past the rules without url');
  return {
    ...rest,
    env,
    type,
    url,
    headers,
    ...(headersFrom.length > 0 && { headersFrom }),
    auth: auth === undefined ? NO_AUTH : parseAuth(auth, namespace),
  };
};

/** The top level of the document. `status` is written by the cluster and ignored. @spec §2.6 */
const toDocumentFields = z.strictObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: objectMetadataFields,
  spec: mcpServerSpecFields,
  status: z.exactOptional(z.unknown()),
});

/** Options of {@link parseMcpServer}. */
export interface ParseOptions {
  /** The group that `apiVersion` must name; `gateway.internal` when absent. */
  readonly apiGroup?: string | undefined;
  /** Accept a URL that becomes valid with the values of its placeholders, as in files. */
  readonly hasPlaceholders?: boolean;
}

/** Returns the URL of a document, when file mode may replace a part of it. */
const findPlaceholderUrl = (document: unknown): string | undefined => {
  const url = readOwnMember(readOwnMember(document, 'spec'), 'url');
  return typeof url === 'string' && url.includes('${') && url.length <= MAX_URL_CHARS
    ? url
    : undefined;
};

const withUrl = (document: unknown, url: string): unknown => ({
  ...(document as object),
  spec: { ...(readOwnMember(document, 'spec') as object), url },
});

/** Parses a document with the URL that its placeholders may lead to, and returns it with the URL as written. */
const parseWithPlaceholders = (
  document: unknown,
  url: string,
  { apiGroup }: ParseOptions,
): Result<McpServer, readonly ValidationIssue[]> => {
  const parsed = parseMcpServer(withUrl(document, withStandIns(url)), { apiGroup });
  if (!parsed.ok || parsed.value.spec.type === 'stdio') return parsed;
  const spec = Object.freeze({ ...parsed.value.spec, url });
  return { ok: true, value: Object.freeze({ ...parsed.value, spec }) };
};

/**
 * Parses an `MCPServer` document: fields, bounds, unknown keys and the rules between fields, all reported together. Never
 * throws for plain data. Defaults are filled in; the result is frozen and shares nothing mutable with the document.
 *
 * @spec §1.5, §2.6, §7.6, §8, §9.1
 */
export const parseMcpServer = (
  document: unknown,
  options: ParseOptions = {},
): Result<McpServer, readonly ValidationIssue[]> => {
  const url = options.hasPlaceholders === true ? findPlaceholderUrl(document) : undefined;
  if (url !== undefined) return parseWithPlaceholders(document, url, options);
  const apiVersion = formatApiVersion(options.apiGroup);
  const parsed = toDocumentFields.safeParse(document);
  const issues = [
    ...validateIdentity(document, { apiVersion, kind: MCP_SERVER_KIND }),
    ...mergeRuleIssues(
      parsed.success
        ? [...listHeaderCaseIssues(parsed.data.spec), ...listDefaultIssues(parsed.data.spec)]
        : listZodIssues(parsed.error, document),
      { ofRules: evaluateRules(MCP_SERVER_KIND, readOwnMember(document, 'spec')), document },
    ),
  ];
  if (!parsed.success || issues.length > 0) {
    return { ok: false, error: issues.slice(0, MAX_ISSUES) };
  }
  const metadata = toObjectMetadata(parsed.data.metadata);
  const spec = parseSpec(parsed.data.spec, metadata.namespace);
  return {
    ok: true,
    value: freezeDeep({ apiVersion, kind: MCP_SERVER_KIND, metadata, spec }),
  };
};
