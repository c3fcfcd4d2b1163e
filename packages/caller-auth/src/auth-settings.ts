import { GATEWAY_SCOPES } from '@gateway/call-contract';
import { compileGlob, MAX_GLOB_LENGTH } from '@gateway/catalog';
import { z } from 'zod';

/** The command line of the gateway: a public client on the user's own computer. */
export const COMMAND_LINE_CLIENT = 'gateway-cli';

/** The client that signs a browser in to the gateway. It uses the browser session and no token. */
export const BROWSER_CLIENT = 'gateway-browser';

const OWN_CLIENTS: ReadonlySet<string> = new Set([COMMAND_LINE_CLIENT, BROWSER_CLIENT]);

/** Returns whether an ID is reserved for a built-in client. */
const isReservedClient = (clientId: string): boolean => OWN_CLIENTS.has(clientId);

const MAPPING = { error: 'must be a mapping' };
const LIST = { error: 'must be a list' };
const MAX_ISSUERS = 32;
const MAX_ISSUER_ITEMS = 64;

const createMaxItemsError = (count: number): { readonly error: string } => ({
  error: `must have at most ${count.toString()} items`,
});

const text = z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' });
const issuerTexts = z
  .array(text, LIST)
  .max(MAX_ISSUER_ITEMS, createMaxItemsError(MAX_ISSUER_ITEMS));

const issuerUrl = text
  .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), {
    error: 'must be a URL with https or http',
  })
  .refine((value) => !/^[^/?#]*\/\/[^/?#]*@/.test(value), {
    error: 'must not contain a user or a password: introspection has clientId and clientSecretFile',
  });

/** The asymmetric signature algorithms. A symmetric algorithm would let every holder of the public key sign. RFC 8725 §2.1 */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** The glob syntax of presets: `*` alone matches every value; otherwise `*` and `?` do not match `/`. */
const pattern = text
  .max(MAX_GLOB_LENGTH, { error: `must have at most ${MAX_GLOB_LENGTH} characters` })
  .refine((value) => value.length > MAX_GLOB_LENGTH || compileGlob(value).ok, {
    error: 'is a glob that does not compile: close each `[`, and end with no single `\\`',
  });

const requiredClaims = z.record(
  text,
  z
    .union([pattern, z.array(pattern, LIST).min(1).max(MAX_ISSUER_ITEMS)], {
      error: 'must be a pattern or a list of patterns',
    })
    .transform((patterns) => (typeof patterns === 'string' ? [patterns] : patterns)),
  MAPPING,
);

const claimsSchema = z.strictObject(
  {
    subject: text.default('sub').describe('claim with the identifier of the user'),
    email: text.default('email').describe('claim with the e-mail address'),
    name: text.default('name').describe('claim with the name for other people'),
    groups: text
      .default('groups')
      .describe('claim with the groups; dots lead into objects, such as `realm_access.roles`'),
  },
  MAPPING,
);

const introspectionSchema = z.strictObject(
  {
    endpoint: issuerUrl.describe('introspection endpoint of the issuer (RFC 7662)'),
    clientId: text.describe('client ID of the gateway at the issuer'),
    clientSecretFile: text.describe(
      'file with the client secret, relative to the configuration directory',
    ),
  },
  MAPPING,
);

const gatewayScopes = z.array(
  z.enum(GATEWAY_SCOPES, { error: `must be one of ${GATEWAY_SCOPES.join(', ')}` }),
  LIST,
);

const issuerSchema = z.strictObject(
  {
    issuer: issuerUrl.describe('URL of the issuer, exactly as the claim `iss` names it'),
    audiences: issuerTexts
      .default([])
      .describe('accepted audiences, of which a token must name one; empty: `auth.resource`'),
    jwksUri: issuerUrl
      .optional()
      .describe('URL of the keys; unset: from the metadata of the issuer'),
    algorithms: z
      .array(z.enum(ALGORITHMS, { error: `must be one of ${ALGORITHMS.join(', ')}` }), LIST)
      .min(1, { error: 'must have at least one item' })
      .default(['RS256', 'PS256', 'ES256', 'EdDSA'])
      .describe('accepted algorithms of signatures'),
    types: z
      .array(z.string({ error: 'must be a text' }), LIST)
      .max(MAX_ISSUER_ITEMS, createMaxItemsError(MAX_ISSUER_ITEMS))
      .default(['at+jwt', 'JWT', ''])
      .describe('accepted values of the header `typ`; an empty text: a token without it'),
    requiredClaims: requiredClaims
      .default({})
      .describe('globs that the values of claims must match, by path of the claim'),
    claims: claimsSchema.prefault({}).describe('names of claims'),
    scopes: gatewayScopes
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
  .max(MAX_ISSUERS, createMaxItemsError(MAX_ISSUERS))
  .default([])
  .describe('authorization servers whose tokens are accepted in mode `resource-server`');

/** The settings of one issuer, with defaults applied. */
export type IssuerSettings = z.infer<typeof issuerSchema>;

const MAX_ITEMS = 256;
const DAY_SECONDS = 86_400;
const texts = z.array(text, LIST).max(MAX_ITEMS, createMaxItemsError(MAX_ITEMS));
const flag = z.boolean({ error: 'must be true or false' });
const createIntegerSchema = (min: number, max: number): z.ZodInt => {
  const error = `must be a whole number from ${min.toString()} to ${max.toString()}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

const isHttpUrl = (value: string): boolean => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:';
};
const providerUrl = text
  .refine(isHttpUrl, { error: 'must be a URL with https or http' })
  .refine((value) => !/^[^/?#]*\/\/[^/?#]*@/.test(value), {
    error: 'must not contain a user or a password: upstream has clientId and clientSecretFile',
  });

/** Parameters that the gateway sets in each request; a configured value would change the protocol. */
const RESERVED_PARAMETERS = new Set([
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
  .refine((value) => Object.keys(value).every((name) => !RESERVED_PARAMETERS.has(name)), {
    error: `must not set ${[...RESERVED_PARAMETERS].join(', ')}`,
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
    issuer: providerUrl.describe('URL of the OpenID provider, exactly as its metadata names it'),
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
    clientSecretFile: text
      .optional()
      .describe('file with its secret; without it and `jwksFile`: a public client'),
    jwksFile: text
      .optional()
      .describe('file with its public keys (JWK set), with which it signs assertions'),
    name: text.optional().describe('name on the consent page'),
    redirectUris: texts
      .default([])
      .describe(
        'permitted redirect URIs of a client of users; the port of a loopback address may differ',
      ),
    serviceScopes: gatewayScopes
      .default([])
      .describe(
        'scopes that a client without users gets for itself (client credentials grant), in place of `redirectUris`',
      ),
  },
  MAPPING,
);

const registrationSchema = z.strictObject(
  {
    enabled: flag.default(false).describe('serve dynamic client registration (RFC 7591)'),
    perMinute: createIntegerSchema(1, 10_000)
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

/** The key `auth.broker`: the gateway as an authorization server that signs users in at one OpenID provider. */
export const brokerSchema = z.strictObject(
  {
    upstream: upstreamSchema.describe('the OpenID provider that users sign in at'),
    clients: z
      .array(clientSchema, LIST)
      .max(MAX_ITEMS, createMaxItemsError(MAX_ITEMS))
      .default([])
      .describe('clients that are known in advance'),
    registration: registrationSchema.prefault({}).describe('dynamic client registration'),
    clientIdMetadataDocuments: documentsSchema
      .prefault({})
      .describe('clients whose identifier is the URL of a document about them'),
    accessTokenSeconds: createIntegerSchema(30, DAY_SECONDS)
      .default(3600)
      .describe('lifetime of an access token'),
    refreshTokenSeconds: createIntegerSchema(60, 365 * DAY_SECONDS)
      .default(30 * DAY_SECONDS)
      .describe('time for which a client stays signed in'),
    sessionSeconds: createIntegerSchema(60, 365 * DAY_SECONDS)
      .default(DAY_SECONDS)
      .describe(
        'time for which a browser stays signed in at the gateway, clients whose sign-in the provider cannot confirm, and groups that the provider does not state again',
      ),
  },
  MAPPING,
);

/** The settings of mode `broker`, with defaults applied. */
export type BrokerSettings = z.infer<typeof brokerSchema>;

/** The settings of the OpenID provider that users sign in at. */
export type UpstreamSettings = BrokerSettings['upstream'];

/** The ways in which callers sign in to the gateway. */
const AUTH_MODES = ['none', 'resource-server', 'broker'] as const;

const absoluteUrl = text.refine(
  (value) => /^https?:\/\/[^?#]+$/.test(value) && URL.canParse(value),
  { error: 'must be a URL with https or http, without a query' },
);

const serverClients = z
  .array(
    z.strictObject(
      {
        issuer: absoluteUrl.describe('the authorization server, as its metadata names it'),
        clientId: text.describe('the client ID of the gateway there'),
        clientSecretFile: text
          .optional()
          .describe('file with the client secret; unset: a public client'),
      },
      MAPPING,
    ),
    LIST,
  )
  .max(MAX_ITEMS, createMaxItemsError(MAX_ITEMS))
  .default([])
  .describe(
    'clients that are registered for the gateway at authorization servers of MCP servers; at others the gateway registers itself',
  );

const findClientProblem = ({
  clientSecretFile,
  jwksFile,
  redirectUris,
  serviceScopes,
}: BrokerSettings['clients'][number]): string | undefined => {
  if ((redirectUris.length === 0) === (serviceScopes.length === 0))
    return 'must have either redirectUris or serviceScopes';
  if (clientSecretFile !== undefined && jwksFile !== undefined)
    return 'must not have both clientSecretFile and jwksFile';
  return serviceScopes.length > 0 && (clientSecretFile ?? jwksFile) === undefined
    ? 'needs clientSecretFile or jwksFile for serviceScopes'
    : undefined;
};

/** The key `auth`: how callers sign in. */
export const authSchema = z
  .strictObject(
    {
      mode: z
        .enum(AUTH_MODES, { error: 'must be none, resource-server or broker' })
        .default('none')
        .describe(
          'how callers sign in: `none`; `resource-server`: with tokens of `issuers`; `broker`: at the gateway, which signs them in at `broker.upstream`',
        ),
      resource: absoluteUrl
        .optional()
        .describe(
          'identifier of the gateway in tokens (RFC 8707); unset: `http.publicUrl` followed by `/mcp`',
        ),
      adminGroups: texts
        .default([])
        .describe(
          'groups whose members may have the scope `mcp:admin`; where an issuer does not grant it, they have it always',
        ),
      allowPrivate: z
        .boolean({ error: 'must be true or false' })
        .default(false)
        .describe(
          'permit private addresses in URLs that metadata names; URLs of this file may always be private',
        ),
      issuers: issuersSchema,
      broker: brokerSchema
        .optional()
        .describe('the gateway as an authorization server; required for mode `broker`'),
      redirects: z
        .array(absoluteUrl, LIST)
        .max(MAX_ITEMS, createMaxItemsError(MAX_ITEMS))
        .default([])
        .describe('pages to which a sign-in to a server may return, by URL prefix'),
      serverClients,
      clientDocumentUrl: absoluteUrl
        .refine((value) => value.startsWith('https:'), { error: 'must be a URL with https' })
        .optional()
        .describe(
          'URL of a client ID metadata document for sign-ins to servers; unset: the document that the gateway publishes below an `http.publicUrl` with https',
        ),
    },
    MAPPING,
  )
  .superRefine(({ mode, issuers, broker }, context) => {
    const add = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (mode === 'resource-server' && issuers.length === 0)
      add('issuers', 'must have at least one issuer for mode resource-server');
    if (mode === 'broker' && broker === undefined) add('broker', 'is required for mode broker');
    for (const [index, client] of (broker?.clients ?? []).entries()) {
      const problem = findClientProblem(client);
      if (problem !== undefined)
        context.addIssue({
          code: 'custom',
          path: ['broker', 'clients', index],
          message: problem,
        });
    }
    const names = new Set(issuers.map(({ issuer }) => issuer));
    if (names.size < issuers.length) add('issuers', 'must not name an issuer twice');
    if (issuers.filter(({ introspection }) => introspection !== undefined).length > 1)
      add(
        'issuers',
        'must have introspection for one issuer only, because an opaque token does not name its issuer',
      );
  });

/** The settings of `auth`, with defaults applied. */
export type AuthSettings = z.infer<typeof authSchema>;
