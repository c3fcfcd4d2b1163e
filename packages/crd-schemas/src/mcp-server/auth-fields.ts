import * as z from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
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
} from '../limits.ts';

/** How a remote server authenticates its callers. @spec §2.6 auth.type */
const AUTH_TYPES = ['oauth', 'none'] as const;

const scopes = boundedText({ min: 1, max: MAX_SCOPES_CHARS, pattern: SCOPES });
const httpsUrl = boundedText({ min: 1, max: MAX_URL_CHARS, pattern: HTTPS_URL });
const secretKey = boundedText({ min: 1, max: MAX_SUBDOMAIN_CHARS });

const clientCredentialsSecretRef = z.strictObject({
  name: boundedText({ min: 1, max: MAX_SUBDOMAIN_CHARS, pattern: RESOURCE_NAME }),
  namespace: boundedText({ min: 1, max: MAX_DNS_LABEL_CHARS, pattern: DNS_LABEL }).exactOptional(),
  clientIdKey: secretKey.default(DEFAULT_CLIENT_ID_KEY),
  clientSecretKey: secretKey.default(DEFAULT_CLIENT_SECRET_KEY),
});

const tokenExchange = z.strictObject({
  enabled: z.boolean().default(false),
  dexTokenEndpoint: httpsUrl.exactOptional(),
  expectedIssuer: httpsUrl.exactOptional(),
  connectorId: boundedText({
    min: 1,
    max: MAX_IDENTIFIER_CHARS,
    pattern: IDENTIFIER,
  }).exactOptional(),
  scopes: scopes.default(DEFAULT_TOKEN_EXCHANGE_SCOPES),
  clientCredentialsSecretRef: clientCredentialsSecretRef.exactOptional(),
});

const authorizationServer = z.strictObject({
  issuer: boundedText({ min: 1, max: MAX_URL_CHARS, pattern: ISSUER_URL }),
  scopes: scopes.exactOptional(),
});

/** `spec.auth`, field by field. What fields require of each other is in the rules. @spec §2.6 auth */
export const authFields = z.strictObject({
  type: z.enum(AUTH_TYPES).default('none'),
  forwardToken: z.boolean().default(false),
  requiredAudiences: z
    .array(boundedText({ min: 1, max: MAX_AUDIENCE_CHARS }))
    .max(MAX_AUDIENCES)
    .default([]),
  tokenExchange: tokenExchange.exactOptional(),
  authorizationServer: authorizationServer.exactOptional(),
});

/** `spec.auth` as the fields say it, before what fields require of each other is known to hold. */
export type AuthFields = z.output<typeof authFields>;
