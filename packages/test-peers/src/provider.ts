import {
  errors,
  type Interaction,
  type InteractionResults,
  type KoaContextWithOIDC,
  Provider,
  type TokenEndpointGrantContext,
} from 'oidc-provider';
import {
  type ProviderAccounts,
  parseAudiences,
  createAccounts,
  createSigningKey,
  createProviderConfiguration,
  type ProviderOptions,
  type ProviderParts,
  type ProviderSettings,
  ProviderStore,
  signAgain,
  type SigningKey,
  verifySubject,
} from './provider/configuration.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FaultRule, listen, type Listening, sendFault } from './http.ts';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { SignJWT } from 'jose';

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
type VerifySubject = (token: string) => Promise<string>;

const readSubject = async (params: ExchangeParameters, verify: VerifySubject): Promise<string> => {
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
      const accountId = await readSubject(params, verify);
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
    const audiences = parseAudiences((this as { scope?: string }).scope);
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

const isIdTokenAbsent = ({ path, oidc }: KoaContextWithOIDC, options: ProviderOptions): boolean =>
  options.refreshedIdTokens === false &&
  path === '/token' &&
  oidc.params?.['grant_type'] === 'refresh_token';

const changeResponse = (ctx: KoaContextWithOIDC, { options }: ProviderParts): void => {
  if (isIdTokenAbsent(ctx, options)) Reflect.deleteProperty(ctx.body as object, 'id_token');
  if (ctx.path.startsWith('/.well-known/') && ctx.status === 200)
    ctx.body = { ...(ctx.body as object), ...options.metadataFields };
  const location = ctx.response.get('location');
  if (options.sendsIssuer === false && URL.canParse(location))
    ctx.set('location', withoutIssuer(location));
};

type OnParameters = (ctx: KoaContextWithOIDC) => void;

const buildProvider = (
  issuer: string,
  parts: ProviderParts,
  onParameters: OnParameters,
): Provider => {
  const provider = new Provider(issuer, createProviderConfiguration(parts));
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

const WELL_KNOWN = /^\/\.well-known\/(oauth-authorization-server|openid-configuration)(\/.*)?$/;

/**
 * Returns the path that oidc-provider knows for a path of the server, or undefined. The metadata of an issuer with a path is where RFC 8414
 * (inserted) and OpenID Connect Discovery (appended) say.
 * @param prefix the path of the issuer, or an empty text
 */
const findInnerPath = (pathname: string, prefix: string): string | undefined => {
  const [, document, inserted = ''] = WELL_KNOWN.exec(pathname) ?? [];
  if (document !== undefined) return inserted === prefix ? `/.well-known/${document}` : undefined;
  if (prefix === '') return pathname;
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined;
};

const isHiddenMetadata = (path: string, metadata: 'oauth' | 'openid' | 'both'): boolean =>
  (metadata === 'openid' && path.startsWith('/.well-known/oauth-')) ||
  (metadata === 'oauth' && path.startsWith('/.well-known/openid-'));

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const renderPage = (title: string, form: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><form method="post">${form}</form></html>`;

const renderLoginPage = (problem = ''): string =>
  renderPage(
    'Sign in',
    `<p role="alert">${problem}</p>
    <p><label>Name <input name="login" type="text" autocomplete="username"></label></p>
    <p><label>Password <input name="password" type="password"></label></p>
    <p><button type="submit">Sign in</button></p>`,
  );

const toText = (value: unknown): string => (typeof value === 'string' ? escape(value) : '');

const renderConsentPage = ({ params }: Interaction): string =>
  renderPage(
    'Consent',
    `<p>${toText(params['client_id'])} asks for: ${toText(params['scope'])}</p>
    <p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny">Deny</button></p>`,
  );

interface Missing {
  readonly missingOIDCScope?: readonly string[];
  readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
}

const grantAll = async (provider: Provider, details: Interaction): Promise<string> => {
  const { grantId, session, params, prompt } = details;
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant =
    known ??
    new provider.Grant({
      ...(session !== undefined && { accountId: session.accountId }),
      clientId: String(params['client_id']),
    });
  const missing = prompt.details as Missing;
  if (missing.missingOIDCScope !== undefined)
    grant.addOIDCScope(missing.missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missing.missingResourceScopes ?? {}))
    grant.addResourceScope(resource, scopes.join(' '));
  return grant.save();
};

const decide = async (
  provider: Provider,
  details: Interaction,
  decision: string | null,
): Promise<InteractionResults> =>
  decision === 'allow'
    ? { consent: { grantId: await grantAll(provider, details) } }
    : { error: 'access_denied', error_description: 'The user refused.' };

const showPage = (response: ServerResponse, text: string, status = 200): void => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(text);
};

/** Serves the pages on which a user signs in and consents: `/interaction/<uid>`. */
const serveInteraction = async (
  { provider, accounts }: { readonly provider: Provider; readonly accounts: ProviderAccounts },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const details = await provider.interactionDetails(request, response);
  const isLogin = details.prompt.name === 'login';
  if (request.method !== 'POST') {
    showPage(response, isLogin ? renderLoginPage() : renderConsentPage(details));
    return;
  }
  const form = new URLSearchParams(await text(request));
  const finish = (result: InteractionResults, mergeWithLastSubmission: boolean): Promise<void> =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission });
  if (!isLogin) return finish(await decide(provider, details, form.get('decision')), true);
  const accountId = accounts.verify(form.get('login') ?? '', form.get('password') ?? '');
  if (accountId !== undefined) return finish({ login: { accountId } }, false);
  showPage(response, renderLoginPage('Wrong name or password.'), 401);
};

interface ProviderRequest {
  readonly method: string;
  /** Without the path of the issuer and without the query. */
  readonly path: string;
  /** The parameters of the form or of the query. They are not masked, so that tests can compare them. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly status: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class TestProvider {
  readonly issuer: string;
  readonly settings: ProviderSettings;
  /** Every request since the start, in the order of arrival. */
  readonly requests: readonly ProviderRequest[];
  readonly close: () => Promise<void>;
  readonly #requests: Mutable<ProviderRequest>[] = [];
  readonly #options: ProviderOptions;
  readonly #port: number;
  readonly #store = new ProviderStore();
  readonly #records = new WeakMap<IncomingMessage, Mutable<ProviderRequest>>();
  #fault: FaultRule | undefined;
  #keys: readonly SigningKey[];
  #provider: Provider;

  constructor(
    options: ProviderOptions,
    { origin, port, serve, close }: Listening,
    key: SigningKey,
  ) {
    this.requests = this.#requests;
    this.close = close;
    this.#options = options;
    this.#port = port;
    this.issuer = origin + (options.path ?? '');
    this.settings = {
      accessTokenSeconds: options.accessTokenSeconds ?? 300,
      idTokenSeconds: options.idTokenSeconds ?? 300,
    };
    this.#keys = [key];
    this.#provider = this.#build();
    serve((request, response) => this.#handle(request, response));
  }

  /** Returns how many requests a path received: `/auth`, `/token`, `/reg`, `/jwks`, `/token/introspection`, `/token/revocation`. */
  count(path: string, parameters: Readonly<Record<string, string>> = {}): number {
    const wanted = Object.entries(parameters);
    return this.requests.filter(
      (request) =>
        request.path === path &&
        wanted.every(([name, value]) => request.parameters[name] === value),
    ).length;
  }

  /** Makes the requests fail that the rule selects; undefined makes none fail. */
  setFault(rule: FaultRule | undefined): void {
    this.#fault = rule;
  }

  /** Revokes everything that belongs to a user. JWT access tokens stay valid until they expire. */
  revokeUser(subject: string): void {
    this.#store.remove(({ accountId }) => accountId === subject);
  }

  removeClients(): void {
    this.#store.remove((_payload, model) => model === 'Client');
  }

  /** Signs with a new key. @param options without `keepsOld` the key set has the new key only */
  async rotateKeys({ keepsOld = true }: { readonly keepsOld?: boolean } = {}): Promise<void> {
    const key = await createSigningKey(randomUUID());
    this.#keys = keepsOld ? [key, ...this.#keys] : [key];
    this.#provider = this.#build();
  }

  /** Signs claims with the present key. `iss`, `iat` and `exp` have defaults. */
  sign(
    claims: Readonly<Record<string, unknown>>,
    header: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    const [key] = this.#keys;
    if (key === undefined) throw new Error('a provider has a key');
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: this.issuer, iat: now, exp: now + 300, ...claims };
    return new SignJWT(all)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.jwk.kid ?? '', ...header })
      .sign(key.privateKey);
  }

  get #parts(): ProviderParts {
    return {
      options: this.#options,
      settings: this.settings,
      store: this.#store,
      accounts: createAccounts(this.#options.users),
      keys: this.#keys,
      name: String(this.#port),
    };
  }

  #build(): Provider {
    return buildProvider(this.issuer, this.#parts, (ctx) => {
      const record = this.#records.get(ctx.req);
      const parameters = { ...ctx.oidc.body, ...ctx.oidc.params };
      if (record !== undefined && Object.keys(parameters).length > 0)
        record.parameters = parameters;
    });
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', this.issuer);
    const { path: prefix = '', metadata = 'both' } = this.#options;
    const path = findInnerPath(pathname, prefix);
    const record = this.#record(request, path ?? pathname, searchParams);
    response.once('finish', () => (record.status = response.statusCode));
    const fault = this.#fault?.(record);
    if (fault !== undefined) sendFault(fault, request, response);
    else if (path === undefined || isHiddenMetadata(path, metadata)) response.writeHead(404).end();
    else if (path.startsWith('/interaction/')) this.#interact(request, response);
    else {
      Object.assign(request, { originalUrl: prefix + path + search, url: path + search });
      void this.#provider.callback()(request, response);
    }
  }

  #record(
    request: IncomingMessage,
    path: string,
    query: URLSearchParams,
  ): Mutable<ProviderRequest> {
    const { method = 'GET' } = request;
    const record = { method, path, parameters: Object.fromEntries(query), status: 0 };
    this.#requests.push(record);
    this.#records.set(request, record);
    return record;
  }

  #interact(request: IncomingMessage, response: ServerResponse): void {
    const { accounts } = this.#parts;
    serveInteraction({ provider: this.#provider, accounts }, request, response).catch(
      (error: unknown) => {
        response.writeHead(400, { 'content-type': 'text/plain' });
        response.end(error instanceof Error ? error.message : 'failed');
      },
    );
  }
}

/**
 * Starts an OpenID provider and OAuth authorization server (oidc-provider) in this process, on the loopback address. It has discovery by
 * RFC 8414 and OpenID, PKCE, registration (RFC 7591), Client ID Metadata Documents, resource indicators (RFC 8707), `iss` (RFC 9207),
 * introspection, revocation, the device flow, rotation of refresh tokens with detection of reuse, and token exchange (RFC 8693).
 */
export const startProvider = async (options: ProviderOptions = {}): Promise<TestProvider> => {
  const key = await createSigningKey('first');
  return new TestProvider(options, await listen(options), key);
};
