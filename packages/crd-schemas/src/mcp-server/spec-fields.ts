import * as z from 'zod/mini';
import {
  ARGUMENT_NAME,
  DNS_LABEL,
  ENV_NAME,
  HEADER_NAME,
  HEADER_VALUE,
  HTTPS_URL,
  HTTP_URL,
  IDENTIFIER,
  ISSUER_URL,
  PROCESS_TEXT,
  RESOURCE_NAME,
  SCOPES,
  describeField,
  describeServerField,
  nameField,
} from '../fields/field-facts.ts';
import {
  createIntegerField,
  createListField,
  createOptionalInteger,
  createStringMap,
  createTextField,
} from '../fields/fields.ts';
import {
  DEFAULT_CLIENT_ID_KEY,
  DEFAULT_CLIENT_SECRET_KEY,
  DEFAULT_TOKEN_EXCHANGE_SCOPES,
  MAX_ARGS,
  MAX_AUDIENCES,
  MAX_AUDIENCE_CHARS,
  MAX_COMMAND_CHARS,
  MAX_CWD_CHARS,
  MAX_DNS_LABEL_CHARS,
  MAX_ENV_ENTRIES,
  MAX_ENV_NAME_CHARS,
  MAX_HEADERS,
  MAX_HEADER_NAME_CHARS,
  MAX_HEADER_VALUE_CHARS,
  MAX_IDENTIFIER_CHARS,
  MAX_PROCESS_TEXT_CHARS,
  MAX_RESULT_BYTES,
  MAX_SCOPES_CHARS,
  MAX_SERVER_DESCRIPTION_CHARS,
  MAX_SUBDOMAIN_CHARS,
  MAX_TOOL_RULES,
  MAX_URL_CHARS,
} from '../fields/limits.ts';
import { requestLimits, toolRule } from './tool-rule-fields.ts';
import { createReferenceList } from './value-reference.ts';

/** The authentication of callers by a remote server. @spec §2.6 auth.type */
const AUTH_TYPES = ['oauth', 'none'] as const;

const scopes = createTextField({ min: 1, max: MAX_SCOPES_CHARS, pattern: SCOPES });
const httpsUrl = createTextField({ min: 1, max: MAX_URL_CHARS, pattern: HTTPS_URL });
const secretKey = createTextField({ min: 1, max: MAX_SUBDOMAIN_CHARS });

const clientCredentialsSecretRef = nameField(
  'ClientCredentialsSecretRef',
  z.strictObject({
    name: describeField(
      'Name of the Secret.',
      createTextField({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: RESOURCE_NAME }),
    ),
    namespace: describeField(
      'Namespace of the Secret; that of the MCPServer unless set.',
      z.exactOptional(createTextField({ min: 1, max: MAX_DNS_LABEL_CHARS, pattern: DNS_LABEL })),
    ),
    clientIdKey: describeField(
      'Key of the client ID in the Secret.',
      z._default(secretKey, DEFAULT_CLIENT_ID_KEY),
    ),
    clientSecretKey: describeField(
      'Key of the client secret in the Secret.',
      z._default(secretKey, DEFAULT_CLIENT_SECRET_KEY),
    ),
  }),
);

const tokenExchange = nameField(
  'TokenExchange',
  z.strictObject({
    enabled: describeField('Enables the exchange of tokens.', z._default(z.boolean(), false)),
    dexTokenEndpoint: describeField(
      "URL of the remote identity provider's token endpoint; required when enabled is true.",
      z.exactOptional(httpsUrl),
    ),
    expectedIssuer: describeField(
      'Expected iss claim of the exchanged token; derived from dexTokenEndpoint unless set.',
      z.exactOptional(httpsUrl),
    ),
    connectorId: describeField(
      'ID of the remote connector that trusts the local identity provider; required when enabled is true.',
      z.exactOptional(createTextField({ min: 1, max: MAX_IDENTIFIER_CHARS, pattern: IDENTIFIER })),
    ),
    scopes: describeField(
      'Scopes of the exchanged token, separated by spaces.',
      z._default(scopes, DEFAULT_TOKEN_EXCHANGE_SCOPES),
    ),
    clientCredentialsSecretRef: describeField(
      'Secret with client credentials, when the remote provider requires client authentication.',
      z.exactOptional(clientCredentialsSecretRef),
    ),
  }),
);

const authorizationServer = nameField(
  'AuthorizationServer',
  z.strictObject({
    issuer: describeField(
      'OAuth 2.0 or OIDC issuer URL: HTTPS, no trailing slash.',
      createTextField({ min: 1, max: MAX_URL_CHARS, pattern: ISSUER_URL }),
    ),
    scopes: describeField('OAuth scopes, separated by spaces.', z.exactOptional(scopes)),
    clientCredentialsSecretRef: describeField(
      'Secret with the client that is registered for the gateway at the issuer.',
      z.exactOptional(clientCredentialsSecretRef),
    ),
  }),
);

/** The fields of `spec.auth`. Requirements between fields are in the rules. @spec §2.6 auth */
const authFields = nameField(
  'Auth',
  z.strictObject({
    type: describeField(
      'The method by which the server authenticates its callers.',
      z._default(z.enum(AUTH_TYPES), 'none'),
    ),
    forwardToken: describeField(
      "Forward the user's ID token instead of a separate OAuth flow; the server must trust the gateway's client ID.",
      z._default(z.boolean(), false),
    ),
    requiredAudiences: describeField(
      'Extra audiences that the forwarded ID token should carry, requested from the identity provider at login.',
      z._default(
        createListField(createTextField({ min: 1, max: MAX_AUDIENCE_CHARS }), MAX_AUDIENCES),
        [],
      ),
    ),
    tokenExchange: describeField(
      'RFC 8693 token exchange for single sign-on across clusters; takes precedence over forwardToken.',
      z.exactOptional(tokenExchange),
    ),
    authorizationServer: describeField(
      'For backends without RFC 9728 metadata; only when type is oauth, without forwardToken and tokenExchange.',
      z.exactOptional(authorizationServer),
    ),
  }),
);

/** `spec.auth` before the rules between fields are evaluated. */
export type AuthFields = z.output<typeof authFields>;

/** The field `spec.envFrom`. Requirements between fields are in the rules. */
const envFrom = createReferenceList('EnvFrom', 'Name of the environment variable.', {
  max: MAX_ENV_NAME_CHARS,
  pattern: ENV_NAME,
});

/** The field `spec.headersFrom`. Requirements between fields are in the rules. */
const headersFrom = createReferenceList('HeadersFrom', 'Name of the header.', {
  max: MAX_HEADER_NAME_CHARS,
  pattern: HEADER_NAME,
});

/** The transports of servers. @spec §2.6 type */
export const MCP_SERVER_TYPES = ['stdio', 'streamable-http', 'sse'] as const;

const MCP_SERVER_INSTANCES = ['shared', 'perSession'] as const;

/** The revisions of MCP that a connection can be limited to. */
const MCP_SERVER_PROTOCOLS = ['auto', '2025-11-25', '2026-07-28'] as const;

const identifier = createTextField({ min: 1, max: MAX_IDENTIFIER_CHARS, pattern: IDENTIFIER });
const processText = createTextField({ max: MAX_PROCESS_TEXT_CHARS, pattern: PROCESS_TEXT });

const family = nameField(
  'Family',
  z.strictObject({
    name: describeField('Servers that share this name share one exposed surface.', identifier),
    instanceArg: describeField(
      'Name of the required argument by which callers select the instance; the same in the whole family.',
      createTextField({ min: 1, max: MAX_IDENTIFIER_CHARS, pattern: ARGUMENT_NAME }),
    ),
  }),
);

const env = createStringMap({
  key: { max: MAX_ENV_NAME_CHARS, pattern: ENV_NAME },
  value: { max: MAX_PROCESS_TEXT_CHARS, pattern: PROCESS_TEXT },
  maxEntries: MAX_ENV_ENTRIES,
});

const headers = createStringMap({
  key: { max: MAX_HEADER_NAME_CHARS, pattern: HEADER_NAME },
  value: { max: MAX_HEADER_VALUE_CHARS, pattern: HEADER_VALUE },
  maxEntries: MAX_HEADERS,
});

/** The fields of `spec` of an `MCPServer`. Requirements between fields are in the rules. @spec §2.6 */
export const mcpServerSpecFields = nameField(
  'MCPServerSpec',
  z.strictObject({
    type: describeServerField(
      'The transport of the server.',
      { argument: 'How the server is reached', reconnects: 'all' },
      z.enum(MCP_SERVER_TYPES),
    ),
    toolPrefix: describeServerField(
      "Takes the place of the server's name in the exposed names of its tools.",
      { argument: 'Prefix of its tool names, in the place of its name', keepsDestination: true },
      z.exactOptional(identifier),
    ),
    family: describeServerField(
      'Groups equivalent instances under one exposed surface.',
      {
        argument: 'Servers of one family share one set of tools; instanceArg chooses the server',
        keepsDestination: true,
      },
      z.exactOptional(family),
    ),
    description: describeServerField(
      'The purpose of the server.',
      { keepsDestination: true },
      z.exactOptional(createTextField({ max: MAX_SERVER_DESCRIPTION_CHARS })),
    ),
    autoStart: describeServerField(
      'Start the server when the gateway starts or when what it depends on becomes available.',
      { argument: 'Start it with the gateway', keepsDestination: true },
      z._default(z.boolean(), false),
    ),
    command: describeServerField(
      'Executable of a stdio server; required when type is stdio.',
      { kind: 'stdio', reconnects: 'all' },
      z.exactOptional(createTextField({ min: 1, max: MAX_COMMAND_CHARS, pattern: PROCESS_TEXT })),
    ),
    args: describeServerField(
      'Command-line arguments; only when type is stdio.',
      {
        argument: 'Arguments of the executable; stdio only',
        kind: 'stdio',
        isRefusedElsewhere: true,
        reconnects: 'all',
        hasPlaceholders: true,
      },
      z.exactOptional(createListField(processText, MAX_ARGS)),
    ),
    cwd: describeServerField(
      'Working directory of the process, from which relative paths in command and args count; only when type is stdio. The configuration directory when unset; a relative path counts from it.',
      {
        argument: 'Working directory; stdio only',
        kind: 'stdio',
        isRefusedElsewhere: true,
        reconnects: 'all',
      },
      z.exactOptional(createTextField({ min: 1, max: MAX_CWD_CHARS, pattern: PROCESS_TEXT })),
    ),
    startTimeout: describeServerField(
      'Time limit for the start of the process, its installation included, in seconds; only when type is stdio. servers.stdioStartSeconds unless set.',
      {
        argument: 'Seconds to start within, installation included; stdio only',
        kind: 'stdio',
        isRefusedElsewhere: true,
        keepsDestination: true,
      },
      createOptionalInteger(1, 600),
    ),
    instances: describeServerField(
      'Connections: shared, one for all clients, or perSession, a process or session for each client, which keeps state and receives answers of that client only. shared unless set.',
      {
        argument: 'Connections: shared, or perSession for a process or session per client',
        keepsDestination: true,
      },
      z.exactOptional(z.enum(MCP_SERVER_INSTANCES)),
    ),
    protocol: describeServerField(
      'Revision of MCP: 2025-11-25 (with initialize; older 2025 revisions too), 2026-07-28, or auto, the one in which the server declares the most, 2026-07-28 if both are equal. auto unless set.',
      {
        argument: 'Revision of MCP; auto unless set',
        unset: 'auto',
        reconnects: 'all',
        keepsDestination: true,
      },
      z.exactOptional(z.enum(MCP_SERVER_PROTOCOLS)),
    ),
    url: describeServerField(
      'Endpoint URL; required when type is streamable-http or sse.',
      {
        kind: 'remote',
        reconnects: 'all',
        hasPlaceholders: true,
      },
      z.exactOptional(createTextField({ min: 1, max: MAX_URL_CHARS, pattern: HTTP_URL })),
    ),
    env: describeServerField(
      'Environment variables for the server.',
      {
        argument: 'Environment variables; shown as *** afterwards',
        reconnects: 'stdio',
        isSecret: true,
        hasPlaceholders: true,
      },
      z.exactOptional(env),
    ),
    headers: describeServerField(
      'HTTP headers for requests to the server; only when type is streamable-http or sse.',
      {
        argument: 'Headers of each request to a remote server; shown as *** afterwards',
        kind: 'remote',
        isRefusedElsewhere: true,
        reconnects: 'all',
        isSecret: true,
        hasPlaceholders: true,
      },
      z.exactOptional(headers),
    ),
    envFrom: describeServerField(
      'Environment variables whose values are keys of Secrets and ConfigMaps; only when type is stdio.',
      {
        kind: 'stdio',
        isRefusedElsewhere: true,
      },
      z.exactOptional(envFrom),
    ),
    headersFrom: describeServerField(
      'HTTP headers whose values are keys of Secrets and ConfigMaps; only when type is streamable-http or sse.',
      {
        kind: 'remote',
        isRefusedElsewhere: true,
      },
      z.exactOptional(headersFrom),
    ),
    timeout: describeServerField(
      'Connection timeout for remote operations, in seconds.',
      { argument: 'Seconds to connect within', keepsDestination: true },
      z._default(createIntegerField({ min: 1, max: 300 }), 30),
    ),
    maxResultBytes: describeServerField(
      'Bytes of text above which a result is kept and its first part returned; 0: never. servers.maxResultBytes unless set.',
      { keepsDestination: true },
      createOptionalInteger(0, MAX_RESULT_BYTES),
    ),
    checkArguments: describeServerField(
      'Check arguments by the input schema before a call. servers.checkArguments unless set.',
      { keepsDestination: true },
      z.exactOptional(z.boolean()),
    ),
    limits: describeServerField(
      'Limits of calls.',
      { keepsDestination: true },
      z.exactOptional(requestLimits),
    ),
    tools: describeServerField(
      'Changes of tools. Later entries win, names before patterns.',
      { keepsDestination: true },
      z.exactOptional(createListField(toolRule, MAX_TOOL_RULES)),
    ),
    auth: describeServerField(
      'Authentication; only when type is streamable-http or sse.',
      {
        argument: 'How a remote server authenticates callers',
        isDetailed: true,
        kind: 'remote',
        reconnects: 'all',
      },
      z.exactOptional(authFields),
    ),
  }),
);

/** `spec` before the rules between fields are evaluated. */
export type McpServerSpecFields = z.output<typeof mcpServerSpecFields>;
