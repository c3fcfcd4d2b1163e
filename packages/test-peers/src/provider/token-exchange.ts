import { errors, type Provider, type TokenEndpointGrantContext } from 'oidc-provider';

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

interface ExchangeOptions {
  readonly verify: VerifySubject;
  readonly isResource: (resource: string) => boolean;
}

const answerAccessToken = async (
  provider: Provider,
  ctx: TokenEndpointGrantContext<ExchangeParameters>,
  accountId: string,
  isResource: ExchangeOptions['isResource'],
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
    if (!isResource(audience)) throw new errors.InvalidTarget();
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
export const addTokenExchange = (
  provider: Provider,
  { verify, isResource }: ExchangeOptions,
): void => {
  provider.registerGrantType<ExchangeParameters>(
    GRANT,
    async (ctx) => {
      const { params } = ctx.oidc;
      const accountId = await subjectOf(params, verify);
      if (params.requested_token_type === ID_TOKEN) await answerIdToken(provider, ctx, accountId);
      else await answerAccessToken(provider, ctx, accountId, isResource);
    },
    PARAMETERS,
  );
};
