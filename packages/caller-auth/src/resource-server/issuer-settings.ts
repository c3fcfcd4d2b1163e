import { compileGlob, MAX_GLOB_LENGTH } from '@gateway/catalog';
import { z } from 'zod';
import { GATEWAY_SCOPES } from '../tokens/scopes.ts';

const MAPPING = { error: 'must be a mapping' };
const LIST = { error: 'must be a list' };
const MAX_ISSUERS = 32;
const MAX_ITEMS = 64;

const atMost = (count: number): { readonly error: string } => ({
  error: `must have at most ${count.toString()} items`,
});

const text = z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' });
const texts = z.array(text, LIST).max(MAX_ITEMS, atMost(MAX_ITEMS));

const httpUrl = text
  .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
    error: 'must be a URL with https or http',
  })
  .refine((value) => !/^[^/?#]*\/\/[^/?#]*@/.test(value), {
    error: 'must not contain a user or a password: introspection has clientId and clientSecretFile',
  });

/** The algorithms of signatures with a private key. Those with a shared secret would let holders of the public key sign. RFC 8725 §2.1 */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

/** The notation is that of `pattern` in presets: a lone `*` is every value, otherwise `*` and `?` do not cross `/`. */
const pattern = text
  .max(MAX_GLOB_LENGTH, { error: `must have at most ${MAX_GLOB_LENGTH} characters` })
  .refine((value) => value.length > MAX_GLOB_LENGTH || compileGlob(value).ok, {
    error: 'is a glob that does not compile: close each `[`, and end with no single `\\`',
  });

const requiredClaims = z.record(
  text,
  z
    .union([pattern, z.array(pattern, LIST).min(1).max(MAX_ITEMS)], {
      error: 'must be a pattern or a list of patterns',
    })
    .transform((given) => (typeof given === 'string' ? [given] : given)),
  MAPPING,
);

const claimsSchema = z.strictObject(
  {
    subject: text.default('sub').describe('claim with the identifier of the person'),
    email: text.default('email').describe('claim with the e-mail address'),
    groups: text
      .default('groups')
      .describe('claim with the groups; dots lead into objects, such as `realm_access.roles`'),
  },
  MAPPING,
);

const introspectionSchema = z.strictObject(
  {
    endpoint: httpUrl.describe('introspection endpoint of the issuer (RFC 7662)'),
    clientId: text.describe('client ID of the gateway at the issuer'),
    clientSecretFile: text.describe(
      'file with the client secret, relative to the configuration directory',
    ),
  },
  MAPPING,
);

const issuerSchema = z.strictObject(
  {
    issuer: httpUrl.describe('URL of the issuer, exactly as the claim `iss` names it'),
    audiences: texts
      .default([])
      .describe('accepted audiences, of which a token must name one; empty: `auth.resource`'),
    jwksUri: httpUrl.optional().describe('URL of the keys; unset: from the metadata of the issuer'),
    algorithms: z
      .array(z.enum(ALGORITHMS, { error: `must be one of ${ALGORITHMS.join(', ')}` }), LIST)
      .min(1, { error: 'must have at least one item' })
      .default(['RS256', 'PS256', 'ES256', 'EdDSA'])
      .describe('accepted algorithms of signatures'),
    types: z
      .array(z.string({ error: 'must be a text' }), LIST)
      .max(MAX_ITEMS, atMost(MAX_ITEMS))
      .default(['at+jwt', 'JWT', ''])
      .describe('accepted values of the header `typ`; an empty text: a token without it'),
    requiredClaims: requiredClaims
      .default({})
      .describe('globs that the values of claims must match, by path of the claim'),
    claims: claimsSchema.prefault({}).describe('names of claims'),
    scopes: z
      .array(z.enum(GATEWAY_SCOPES, { error: `must be one of ${GATEWAY_SCOPES.join(', ')}` }), LIST)
      .default([...GATEWAY_SCOPES])
      .describe(
        'scopes of the gateway that the issuer grants; without `mcp:read`, every valid token may read',
      ),
    introspection: introspectionSchema
      .optional()
      .describe(
        'ask the issuer about each token instead of verifying it; required for opaque tokens',
      ),
    forwardable: z
      .boolean({ error: 'must be true or false' })
      .default(false)
      .describe(
        'forward the tokens of callers to servers with `auth.forwardToken`, and exchange them for servers with `auth.tokenExchange`; their audience is the client ID that the servers trust',
      ),
  },
  MAPPING,
);

/** The key `auth.issuers`: the authorization servers whose tokens the gateway accepts. */
export const issuersSchema = z
  .array(issuerSchema, LIST)
  .max(MAX_ISSUERS, atMost(MAX_ISSUERS))
  .default([])
  .describe('authorization servers whose tokens are accepted in mode `resource-server`');

/** The settings of one issuer, with defaults applied. */
export type IssuerSettings = z.infer<typeof issuerSchema>;
