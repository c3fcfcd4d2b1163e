import {
  errors,
  type KoaContextWithOIDC,
  Provider,
  type TokenEndpointGrantContext,
} from 'oidc-provider';
import {
  audiencesIn,
  providerConfiguration,
  type ProviderOptions,
  type ProviderParts,
  signAgain,
  verifySubject,
} from './configuration.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';

const PARAMETERS = [
  'subject_token',
  'subject_token_type',
  'requested_token_type',
  'audience',
  'resource',
  'scope',
  'connector_id',
] as const;

type ExchangeParameters = Partial<Record<(typeof PARAMETERS)[number], string>>;

/** Verifies a token that this provider or a trusted one issued. @returns its subject */
export type VerifySubject = (token: string) => Promise<string>;

const subjectOf = async (params: ExchangeParameters, verify: VerifySubject): Promise<string> => {
  if (![ACCESS_TOKEN, ID_TOKEN].includes(params.subject_token_type ?? ''))
    throw new errors.InvalidRequest('unsupported subject_token_type');
  try {
    return await verify(params.subject_token ?? '');
  } catch {
    throw new errors.InvalidGrant('subject_token is not valid');
  }
};

const answerIdToken = async (
  provider: Provider,
  ctx: TokenEndpointGrantContext<ExchangeParameters>,
  subject: string,
): Promise<void> => {
  const { client } = ctx.oidc;
  const token = new provider.IdToken({ sub: subject }, { ctx, client });
  Object.assign(token, { scope: 'openid' });
  const value = await token.issue({ use: 'idtoken' });
  ctx.body = {
    access_token: value,
    issued_token_type: ID_TOKEN,
    token_type: 'N_A',
    expires_in: 300,
  };
};

const answerAccessToken = async (
  provider: Provider,
  ctx: TokenEndpointGrantContext<ExchangeParameters>,
  accountId: string,
): Promise<void> => {
  const { client, params } = ctx.oidc;
  const scope = params.scope ?? '';
  const grantId = await new provider.Grant({ accountId, clientId: client.clientId }).save();
  const token = new provider.AccessToken({
    accountId,
    client,
    grantId,
    scope,
    gty: 'token_exchange',
  });
  const audience = params.resource ?? params.audience;
  if (audience !== undefined) {
    token.resourceServer = new provider.ResourceServer(audience, {
      scope,
      audience,
      accessTokenFormat: 'jwt',
      accessTokenTTL: 300,
      jwt: { sign: { alg: 'RS256' } },
    });
  }
  ctx.body = {
    access_token: await token.save(),
    issued_token_type: ACCESS_TOKEN,
    token_type: 'Bearer',
    expires_in: token.expiration,
    scope,
  };
};

/** Adds the grant type of RFC 8693: an ID token or a JWT access token for an ID token or an access token. */
const addTokenExchange = (provider: Provider, verify: VerifySubject): void => {
  provider.registerGrantType<ExchangeParameters>(
    GRANT,
    async (ctx) => {
      const { params } = ctx.oidc;
      const accountId = await subjectOf(params, verify);
      if (params.requested_token_type === ID_TOKEN) await answerIdToken(provider, ctx, accountId);
      else await answerAccessToken(provider, ctx, accountId);
    },
    PARAMETERS,
  );
};

/** Adds the audiences that the scopes name, and the claims that the options replace, to ID tokens. */
const changeIdTokens = (provider: Provider, { options, keys }: ProviderParts): void => {
  const [key] = keys;
  if (key === undefined) throw new Error('a provider has a key');
  const { prototype } = provider.IdToken;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- It is called with its own `this`.
  const { issue } = prototype;
  prototype.issue = async function issueChanged(use) {
    const token = await issue.call(this, use);
    const audiences = audiencesIn((this as { scope?: string }).scope);
    const { clientId } = this.client;
    const claims = {
      ...(audiences.length > 0 && { aud: [clientId, ...audiences], azp: clientId }),
      ...options.idTokenClaims,
    };
    return Object.keys(claims).length === 0 ? token : signAgain(token, claims, key);
  };
};

const withoutIssuer = (location: string): string => {
  const url = new URL(location);
  url.searchParams.delete('iss');
  return url.href;
};

const omitsIdToken = ({ path, oidc }: KoaContextWithOIDC, options: ProviderOptions): boolean =>
  options.refreshedIdTokens === false &&
  path === '/token' &&
  oidc.params?.['grant_type'] === 'refresh_token';

const changeResponse = (ctx: KoaContextWithOIDC, { options }: ProviderParts): void => {
  if (omitsIdToken(ctx, options)) Reflect.deleteProperty(ctx.body as object, 'id_token');
  if (ctx.path.startsWith('/.well-known/') && ctx.status === 200)
    ctx.body = { ...(ctx.body as object), ...options.metadataFields };
  const location = ctx.response.get('location');
  if (options.sendsIssuer === false && URL.canParse(location))
    ctx.set('location', withoutIssuer(location));
};

/** Receives the parameters of a request once the provider has read them. */
export type OnParameters = (ctx: KoaContextWithOIDC) => void;

/** Creates an oidc-provider for the parts. */
export const buildProvider = (
  issuer: string,
  parts: ProviderParts,
  onParameters: OnParameters,
): Provider => {
  const provider = new Provider(issuer, providerConfiguration(parts));
  const { trustedIssuers = [] } = parts.options;
  changeIdTokens(provider, parts);
  addTokenExchange(provider, (token) =>
    verifySubject(token, { issuer, keys: parts.keys }, trustedIssuers),
  );
  provider.use(async (ctx, next) => {
    await next();
    const known = ctx as unknown as KoaContextWithOIDC;
    onParameters(known);
    changeResponse(known, parts);
  });
  return provider;
};
