import * as z from 'zod/mini';
import { boundedText } from '../fields/bounded-text.ts';
import { described, named } from '../fields/field-facts.ts';
import {
  HTTPS_URL,
  IDENTIFIER,
  ISSUER_URL,
  RESOURCE_NAME,
  DNS_LABEL,
  SCOPES,
} from '../fields/text-pattern.ts';
import {
  DEFAULT_CLIENT_ID_KEY,
  DEFAULT_CLIENT_SECRET_KEY,
  DEFAULT_TOKEN_EXCHANGE_SCOPES,
  MAX_AUDIENCES,
  MAX_AUDIENCE_CHARS,
  MAX_DNS_LABEL_CHARS,
  MAX_IDENTIFIER_CHARS,
  MAX_SCOPES_CHARS,
  MAX_SUBDOMAIN_CHARS,
  MAX_URL_CHARS,
} from '../resource/limits.ts';

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
export const authFields = named(
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
        z.array(boundedText({ min: 1, max: MAX_AUDIENCE_CHARS })).check(z.maxLength(MAX_AUDIENCES)),
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
