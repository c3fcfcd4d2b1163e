import { Provider, type KoaContextWithOIDC } from 'oidc-provider';
import { audiencesIn, providerConfiguration, type ProviderParts } from './configuration.ts';
import type { ProviderOptions } from './provider-options.ts';
import { signAgain, verifySubject } from './signing-keys.ts';
import { addTokenExchange } from './token-exchange.ts';

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
  const { isResource = () => true, trustedIssuers = [] } = parts.options;
  changeIdTokens(provider, parts);
  addTokenExchange(provider, {
    isResource,
    verify: (token) => verifySubject(token, { issuer, keys: parts.keys }, trustedIssuers),
  });
  provider.use(async (ctx, next) => {
    await next();
    const known = ctx as unknown as KoaContextWithOIDC;
    onParameters(known);
    changeResponse(known, parts);
  });
  return provider;
};
