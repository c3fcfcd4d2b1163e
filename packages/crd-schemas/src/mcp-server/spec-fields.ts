import * as z from 'zod/mini';
import { onlyMeasurable, described, named } from '../fields/field-facts.ts';
import {
  ARGUMENT_NAME,
  DNS_LABEL,
  ENV_NAME,
  HEADER_NAME,
  HEADER_VALUE,
  HTTP_URL,
  HTTPS_URL,
  IDENTIFIER,
  ISSUER_URL,
  OBJECT_KEY,
  PROCESS_TEXT,
  RESOURCE_NAME,
  SCOPES,
  type TextBounds,
} from '../fields/text-pattern.ts';
import { boundedText, stringMap } from '../fields/fields.ts';
import {
  DEFAULT_AUTO_START,
  DEFAULT_CLIENT_ID_KEY,
  DEFAULT_CLIENT_SECRET_KEY,
  DEFAULT_TIMEOUT_SECONDS,
  DEFAULT_TOKEN_EXCHANGE_SCOPES,
  MAX_ARGS,
  MAX_AUDIENCE_CHARS,
  MAX_AUDIENCES,
  MAX_COMMAND_CHARS,
  MAX_CWD_CHARS,
  MAX_DNS_LABEL_CHARS,
  MAX_ENV_ENTRIES,
  MAX_ENV_NAME_CHARS,
  MAX_HEADER_NAME_CHARS,
  MAX_HEADER_VALUE_CHARS,
  MAX_HEADERS,
  MAX_IDENTIFIER_CHARS,
  MAX_PROCESS_TEXT_CHARS,
  MAX_REFERENCES,
  MAX_SCOPES_CHARS,
  MAX_SERVER_DESCRIPTION_CHARS,
  MAX_START_TIMEOUT_SECONDS,
  MAX_SUBDOMAIN_CHARS,
  MAX_TIMEOUT_SECONDS,
  MAX_URL_CHARS,
  MIN_START_TIMEOUT_SECONDS,
  MIN_TIMEOUT_SECONDS,
} from '../fields/limits.ts';

/** The authentication of callers by a remote server. @spec §2.6 auth.type */
const AUTH_TYPES = ['oauth', 'none'] as const;

const scopes = boundedText({ min: 1, max: MAX_SCOPES_CHARS, pattern: SCOPES });
const httpsUrl = boundedText({ min: 1, max: MAX_URL_CHARS, pattern: HTTPS_URL });
const secretKey = boundedText({ min: 1, max: MAX_SUBDOMAIN_CHARS });

const clientCredentialsSecretRef = named(
  'ClientCredentialsSecretRef',
  z.strictObject({
    name: described(
      'Name of the Secret.',
      boundedText({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: RESOURCE_NAME }),
    ),
    namespace: described(
      'Namespace of the Secret; that of the MCPServer unless set.',
      z.exactOptional(boundedText({ min: 1, max: MAX_DNS_LABEL_CHARS, pattern: DNS_LABEL })),
    ),
    clientIdKey: described(
      'Key of the client ID in the Secret.',
      z._default(secretKey, DEFAULT_CLIENT_ID_KEY),
    ),
    clientSecretKey: described(
      'Key of the client secret in the Secret.',
      z._default(secretKey, DEFAULT_CLIENT_SECRET_KEY),
    ),
  }),
);

const tokenExchange = named(
  'TokenExchange',
  z.strictObject({
    enabled: described('Enables the exchange of tokens.', z._default(z.boolean(), false)),
    dexTokenEndpoint: described(
      "URL of the remote identity provider's token endpoint; required when enabled is true.",
      z.exactOptional(httpsUrl),
    ),
    expectedIssuer: described(
      'Expected iss claim of the exchanged token; derived from dexTokenEndpoint unless set.',
      z.exactOptional(httpsUrl),
    ),
    connectorId: described(
      'ID of the remote connector that trusts the local identity provider; required when enabled is true.',
      z.exactOptional(boundedText({ min: 1, max: MAX_IDENTIFIER_CHARS, pattern: IDENTIFIER })),
    ),
    scopes: described(
      'Scopes of the exchanged token, separated by spaces.',
      z._default(scopes, DEFAULT_TOKEN_EXCHANGE_SCOPES),
    ),
    clientCredentialsSecretRef: described(
      'Secret with client credentials, when the remote provider requires client authentication.',
      z.exactOptional(clientCredentialsSecretRef),
    ),
  }),
);

const authorizationServer = named(
  'AuthorizationServer',
  z.strictObject({
    issuer: described(
      'OAuth 2.0 or OIDC issuer URL: HTTPS, no trailing slash.',
      boundedText({ min: 1, max: MAX_URL_CHARS, pattern: ISSUER_URL }),
    ),
    scopes: described('OAuth scopes, separated by spaces.', z.exactOptional(scopes)),
    clientCredentialsSecretRef: described(
      'Secret with the client that is registered for the gateway at the issuer.',
      z.exactOptional(clientCredentialsSecretRef),
    ),
  }),
);

/** The fields of `spec.auth`. Requirements between fields are in the rules. @spec §2.6 auth */
const authFields = named(
  'Auth',
  z.strictObject({
    type: described(
      'The method by which the server authenticates its callers.',
      z._default(z.enum(AUTH_TYPES), 'none'),
    ),
    forwardToken: described(
      "Forward the user's ID token instead of a separate OAuth flow; the server must trust the gateway's client ID.",
      z._default(z.boolean(), false),
    ),
    requiredAudiences: described(
      'Extra audiences that the forwarded ID token should carry, requested from the identity provider at login.',
      z._default(
        z
          .array(boundedText({ min: 1, max: MAX_AUDIENCE_CHARS }))
          .check(onlyMeasurable(z.maxLength(MAX_AUDIENCES))),
        [],
      ),
    ),
    tokenExchange: described(
      'RFC 8693 token exchange for single sign-on across clusters; takes precedence over forwardToken.',
      z.exactOptional(tokenExchange),
    ),
    authorizationServer: described(
      'For backends without RFC 9728 metadata; only when type is oauth, without forwardToken and tokenExchange.',
      z.exactOptional(authorizationServer),
    ),
  }),
);

/** `spec.auth` before the rules between fields are evaluated. */
export type AuthFields = z.output<typeof authFields>;

const keyReference = (name: string, kind: string) =>
  named(
    name,
    z.strictObject({
      name: described(
        `Name of the ${kind}, which is in the namespace of the MCPServer.`,
        boundedText({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: RESOURCE_NAME }),
      ),
      key: described(
        `Key of the value in the ${kind}.`,
        boundedText({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: OBJECT_KEY }),
      ),
      optional: described(
        `Start the server without the value while the ${kind} or the key does not exist.`,
        z._default(z.boolean(), false),
      ),
    }),
  );

const secretKeyRef = keyReference('SecretKeyRef', 'Secret');
const configMapKeyRef = keyReference('ConfigMapKeyRef', 'ConfigMap');

const references = (name: string, about: string, bounds: TextBounds) =>
  z
    .array(
      named(
        name,
        z.strictObject({
          name: described(about, boundedText({ min: 1, ...bounds })),
          secretKeyRef: described(
            'Key of a Secret; exactly one of secretKeyRef and configMapKeyRef is required.',
            z.exactOptional(secretKeyRef),
          ),
          configMapKeyRef: described(
            'Key of a ConfigMap; exactly one of secretKeyRef and configMapKeyRef is required.',
            z.exactOptional(configMapKeyRef),
          ),
        }),
      ),
    )
    .check(onlyMeasurable(z.maxLength(MAX_REFERENCES)));

/** The field `spec.envFrom`. Requirements between fields are in the rules. */
const envFrom = references('EnvFrom', 'Name of the environment variable.', {
  max: MAX_ENV_NAME_CHARS,
  pattern: ENV_NAME,
});

/** The field `spec.headersFrom`. Requirements between fields are in the rules. */
const headersFrom = references('HeadersFrom', 'Name of the header.', {
  max: MAX_HEADER_NAME_CHARS,
  pattern: HEADER_NAME,
});

/** The transports of servers. @spec §2.6 type */
export const MCP_SERVER_TYPES = ['stdio', 'streamable-http', 'sse'] as const;

/** Values of `spec.instances`. */
export const MCP_SERVER_INSTANCES = ['shared', 'perSession'] as const;

/** The revisions of MCP that a connection can be limited to. */
export const MCP_SERVER_PROTOCOLS = ['auto', '2025-11-25', '2026-07-28'] as const;

const identifier = boundedText({ min: 1, max: MAX_IDENTIFIER_CHARS, pattern: IDENTIFIER });
const processText = boundedText({ max: MAX_PROCESS_TEXT_CHARS, pattern: PROCESS_TEXT });

const family = named(
  'Family',
  z.strictObject({
    name: described('Servers that share this name share one exposed surface.', identifier),
    instanceArg: described(
      'Name of the required argument by which callers select the instance; the same in the whole family.',
      boundedText({ min: 1, max: MAX_IDENTIFIER_CHARS, pattern: ARGUMENT_NAME }),
    ),
  }),
);

const env = stringMap({
  key: { max: MAX_ENV_NAME_CHARS, pattern: ENV_NAME },
  value: { max: MAX_PROCESS_TEXT_CHARS, pattern: PROCESS_TEXT },
  maxEntries: MAX_ENV_ENTRIES,
});

const headers = stringMap({
  key: { max: MAX_HEADER_NAME_CHARS, pattern: HEADER_NAME },
  value: { max: MAX_HEADER_VALUE_CHARS, pattern: HEADER_VALUE },
  maxEntries: MAX_HEADERS,
});

const timeout = z.int().check(z.minimum(MIN_TIMEOUT_SECONDS), z.maximum(MAX_TIMEOUT_SECONDS));

const startTimeout = z
  .int()
  .check(z.minimum(MIN_START_TIMEOUT_SECONDS), z.maximum(MAX_START_TIMEOUT_SECONDS));

/** The fields of `spec` of an `MCPServer`. Requirements between fields are in the rules. @spec §2.6 */
export const mcpServerSpecFields = named(
  'MCPServerSpec',
  z.strictObject({
    type: described('The transport of the server.', z.enum(MCP_SERVER_TYPES)),
    command: described(
      'Executable of a stdio server; required when type is stdio.',
      z.exactOptional(boundedText({ min: 1, max: MAX_COMMAND_CHARS, pattern: PROCESS_TEXT })),
    ),
    args: described(
      'Command-line arguments; only when type is stdio.',
      z.exactOptional(z.array(processText).check(onlyMeasurable(z.maxLength(MAX_ARGS)))),
    ),
    cwd: described(
      'Working directory of the process, from which relative paths in command and args count; only when type is stdio. The configuration directory when unset; a relative path counts from it.',
      z.exactOptional(boundedText({ min: 1, max: MAX_CWD_CHARS, pattern: PROCESS_TEXT })),
    ),
    startTimeout: described(
      'Time limit for the start of the process, its installation included, in seconds; only when type is stdio. servers.stdioStartSeconds of the configuration unless set.',
      z.exactOptional(startTimeout),
    ),
    instances: described(
      'Connections of the server: shared, one for all clients, or perSession, a further process of a stdio server or session of a remote server for each client, which keeps state and receives answers of that client only. shared unless set.',
      z.exactOptional(z.enum(MCP_SERVER_INSTANCES)),
    ),
    protocol: described(
      'Revision of MCP of the connection: 2025-11-25 (with initialize; older 2025 revisions too), 2026-07-28, or auto, the revision in which the server declares the most, and 2026-07-28 when it declares the same in both. auto unless set.',
      z.exactOptional(z.enum(MCP_SERVER_PROTOCOLS)),
    ),
    url: described(
      'Endpoint URL; required when type is streamable-http or sse.',
      z.exactOptional(boundedText({ min: 1, max: MAX_URL_CHARS, pattern: HTTP_URL })),
    ),
    env: described('Environment variables for the server.', z.exactOptional(env)),
    headers: described(
      'HTTP headers for requests to the server; only when type is streamable-http or sse.',
      z.exactOptional(headers),
    ),
    envFrom: described(
      'Environment variables whose values are keys of Secrets and ConfigMaps; only when type is stdio.',
      z.exactOptional(envFrom),
    ),
    headersFrom: described(
      'HTTP headers whose values are keys of Secrets and ConfigMaps; only when type is streamable-http or sse.',
      z.exactOptional(headersFrom),
    ),
    toolPrefix: described(
      "Takes the place of the server's name in the exposed names of its tools.",
      z.exactOptional(identifier),
    ),
    family: described(
      'Groups equivalent instances under one exposed surface.',
      z.exactOptional(family),
    ),
    description: described(
      'The purpose of the server.',
      z.exactOptional(boundedText({ max: MAX_SERVER_DESCRIPTION_CHARS })),
    ),
    autoStart: described(
      'Start the server when the gateway starts or when what it depends on becomes available.',
      z._default(z.boolean(), DEFAULT_AUTO_START),
    ),
    auth: described(
      'Authentication; only when type is streamable-http or sse.',
      z.exactOptional(authFields),
    ),
    timeout: described(
      'Connection timeout for remote operations, in seconds.',
      z._default(timeout, DEFAULT_TIMEOUT_SECONDS),
    ),
  }),
);

/** `spec` before the rules between fields are evaluated. */
export type McpServerSpecFields = z.output<typeof mcpServerSpecFields>;
