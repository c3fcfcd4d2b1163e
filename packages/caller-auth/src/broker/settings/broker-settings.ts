import { z } from 'zod';
import { isReservedClient } from './reserved-clients.ts';

const MAPPING = { error: 'must be a mapping' };
const MAX_ITEMS = 256;
const DAY_SECONDS = 86_400;

const text = z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' });
const texts = z
  .array(text, { error: 'must be a list' })
  .max(MAX_ITEMS, { error: `must have at most ${MAX_ITEMS.toString()} items` });
const flag = z.boolean({ error: 'must be true or false' });
const wholeNumber = (min: number, max: number): z.ZodInt => {
  const error = `must be a whole number from ${min.toString()} to ${max.toString()}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

const isHttpUrl = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:';
};
const httpUrl = text
  .refine(isHttpUrl, { error: 'must be a URL with https or http' })
  .refine((value) => !/^[^/?#]*\/\/[^/?#]*@/.test(value), {
    error: 'must not contain a user or a password: upstream has clientId and clientSecretFile',
  });

/** Parameters that the gateway sets in each request; a configured value would change the protocol. */
const RESERVED = new Set([
  'client_id',
  'client_secret',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
]);

const parameters = z
  .record(text, z.string({ error: 'must be a text' }), MAPPING)
  .refine((value) => Object.keys(value).every((name) => !RESERVED.has(name)), {
    error: `must not set ${[...RESERVED].join(', ')}`,
  });

const upstreamClaimsSchema = z.strictObject(
  {
    email: text.default('email').describe('claim of the ID token with the e-mail address'),
    groups: text.default('groups').describe('claim of the ID token with the groups'),
    name: text.default('name').describe('claim of the ID token with the name that pages show'),
  },
  MAPPING,
);

const upstreamSchema = z.strictObject(
  {
    issuer: httpUrl.describe('URL of the OpenID provider, exactly as its metadata names it'),
    clientId: text.describe('client ID of the gateway at the provider'),
    clientSecretFile: text
      .optional()
      .describe('file with the client secret, relative to the configuration directory'),
    scopes: texts
      .default(['openid', 'profile', 'email', 'groups', 'offline_access'])
      .describe(
        'requested scopes; `groups` and `offline_access` only if the metadata of the provider lists them',
      ),
    audienceScope: text
      .default('audience:server:client_id:{audience}')
      .describe('scope that requests one of `requiredAudiences`; `{audience}` is replaced'),
    authorizationParameters: parameters
      .default({})
      .describe('additional parameters of the authorization request'),
    claims: upstreamClaimsSchema.prefault({}).describe('names of claims'),
  },
  MAPPING,
);

const clientSchema = z.strictObject(
  {
    clientId: text
      .refine((clientId) => !isReservedClient(clientId), {
        error: 'is the identifier of a client of the gateway itself: choose another one',
      })
      .describe('identifier of the client'),
    clientSecretFile: text.optional().describe('file with its secret; unset: a public client'),
    name: text.optional().describe('name on the consent page'),
    redirectUris: z
      .array(text, { error: 'must be a list' })
      .min(1, { error: 'must have at least one item' })
      .max(MAX_ITEMS, { error: `must have at most ${MAX_ITEMS.toString()} items` })
      .describe('permitted redirect URIs; the port of a loopback address may differ'),
  },
  MAPPING,
);

const registrationSchema = z.strictObject(
  {
    enabled: flag.default(false).describe('serve dynamic client registration (RFC 7591)'),
    perMinute: wholeNumber(1, 10_000)
      .default(20)
      .describe('registrations in a minute; further ones are refused with 429'),
  },
  MAPPING,
);

const documentsSchema = z.strictObject(
  {
    enabled: flag.default(true).describe('accept Client ID Metadata Documents'),
    hosts: texts
      .default([])
      .describe('hosts whose documents are accepted; empty: all public hosts'),
  },
  MAPPING,
);

/** The key `auth.broker`: the gateway as an authorization server that signs persons in at one OpenID provider. */
export const brokerSchema = z.strictObject(
  {
    upstream: upstreamSchema.describe('the OpenID provider that persons sign in at'),
    clients: z
      .array(clientSchema, { error: 'must be a list' })
      .max(MAX_ITEMS, { error: `must have at most ${MAX_ITEMS.toString()} items` })
      .default([])
      .describe('clients that are known in advance'),
    registration: registrationSchema.prefault({}).describe('dynamic client registration'),
    clientIdMetadataDocuments: documentsSchema
      .prefault({})
      .describe('clients whose identifier is the URL of a document about them'),
    accessTokenSeconds: wholeNumber(30, DAY_SECONDS)
      .default(3600)
      .describe('lifetime of an access token'),
    refreshTokenSeconds: wholeNumber(60, 365 * DAY_SECONDS)
      .default(30 * DAY_SECONDS)
      .describe('time for which a client stays signed in'),
    sessionSeconds: wholeNumber(60, 365 * DAY_SECONDS)
      .default(DAY_SECONDS)
      .describe(
        'time for which a browser stays signed in at the gateway, clients whose sign-in the provider cannot confirm, and groups that the provider does not state again',
      ),
  },
  MAPPING,
);

/** The settings of mode `broker`, with defaults applied. */
export type BrokerSettings = z.infer<typeof brokerSchema>;

/** The settings of the OpenID provider that persons sign in at. */
export type UpstreamSettings = BrokerSettings['upstream'];
