import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createPrincipal, GATEWAY_SCOPES, READ_SCOPE } from '@gateway/call-contract';
import { type AuthBackend, type TokenOutcome, type TokenVerifier } from '../auth-backend.ts';
import { createProvider, prefillCode } from './create-provider.ts';
import { MinuteBudget } from './minute-budget.ts';
import {
  BROKER_PATHS,
  type BuildServer,
  CurrentServer,
  fail,
  filterScopes,
  type ServerContext,
  type Visit,
} from './server-context.ts';
import { createGuardedFetch, type GuardedFetch } from '@gateway/guarded-fetch';
import { loadBrokerKeys } from './broker-keys.ts';
import { askLogout, resolveBrowserUser, decideLogout } from './browser-session.ts';
import { createClientDocuments } from './client-documents.ts';
import { askConsent, decideConsent } from './consent.ts';
import { createUpstreamSessions } from './id-tokens.ts';
import { continueLogin, findInteraction, handleCallback } from './login.ts';
import { createAccounts, toPrincipal } from './upstream-account.ts';
import { createUpstreamProvider } from './upstream-provider.ts';

/** Longest address of an authorization request, in characters: the request is stored until the user has signed in. */
const MAX_URL_CHARS = 4096;

/**
 * Authorization requests and codes of devices in a minute, at all processes of a store. Each is stored for 10 minutes, and anyone can send them: without a limit they
 * would fill the store, and no user could sign in or refresh a token.
 */
const STARTS_PER_MINUTE = 2_000;

/** Headers of all answers; pages have a policy of their own. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const refuse = (response: ServerResponse, status: number, error: string): void => {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ error }));
};

const isFor = (
  { method, url = '' }: IncomingMessage,
  [wanted, path]: readonly [string, string],
): boolean => method === wanted && url.split('?', 1)[0] === path;

const withQuery = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query.toString()}`;

/** Returns the address that the authorization server sees. */
const rewriteUrl = (request: IncomingMessage): string => {
  const { url = '/' } = request;
  const query = new URLSearchParams(url.split('?', 2)[1]);
  if (isFor(request, ['GET', BROKER_PATHS.authorize]) && !query.has('scope')) {
    query.set('scope', READ_SCOPE);
    return withQuery(BROKER_PATHS.authorize, query);
  }
  // With a code in the address, the library would answer with a form that a script sends: the user sends it instead.
  const code = query.get('user_code');
  if (isFor(request, ['GET', BROKER_PATHS.device]) && code !== null) {
    prefillCode(request, code);
    query.delete('user_code');
    return withQuery(BROKER_PATHS.device, query);
  }
  return url;
};

/** Returns whether a request starts a sign-in, which is then stored. The library serves HEAD as GET. */
const isStart = (request: IncomingMessage): boolean =>
  ['GET', 'HEAD', 'POST'].some((method) => isFor(request, [method, BROKER_PATHS.authorize])) ||
  isFor(request, ['POST', BROKER_PATHS.deviceAuthorization]);

/** The library takes a path with a slash at its end for the path without it, which has limits of its own. */
const hasEmptySegment = ({ url = '' }: IncomingMessage): boolean =>
  url.split('?', 1)[0]?.endsWith('/') === true;

const refuseExcess = (response: ServerResponse): void => {
  response.setHeader('retry-after', '60');
  refuse(response, 429, 'temporarily_unavailable');
};

/** Makes a request one for the public URL, whatever the caller and the proxies say: addresses and cookies follow from it. */
const applyPublicUrl = (request: IncomingMessage, publicUrl: URL): void => {
  for (const name of Object.keys(request.headers))
    if (name.startsWith('x-forwarded-')) Reflect.deleteProperty(request.headers, name);
  request.headers['x-forwarded-proto'] = publicUrl.protocol.slice(0, -1);
  request.headers['x-forwarded-host'] = publicUrl.host;
};

/** Returns whether a request exceeds the limit of those that are stored before a user has signed in. */
const createExcessCheck = ({
  settings,
  store,
  now,
}: ServerContext): ((request: IncomingMessage) => Promise<boolean>) => {
  const { enabled, perMinute } = settings.registration;
  const registrations = new MinuteBudget(store, 'registration', perMinute, now);
  const starts = new MinuteBudget(store, 'start', STARTS_PER_MINUTE, now);
  return async (request) => {
    if (isFor(request, ['POST', BROKER_PATHS.register]))
      return enabled && !(await registrations.take());
    return isStart(request) && !(await starts.take());
  };
};

/** Returns the handler of the endpoints of OAuth and OpenID Connect. */
const createProtocolHandler = (server: CurrentServer): RequestListener => {
  const { context } = server.latest;
  const { publicUrl, onFailure } = context;
  const isExcess = createExcessCheck(context);
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (await isExcess(request)) {
      refuseExcess(response);
      return;
    }
    applyPublicUrl(request, publicUrl);
    request.url = rewriteUrl(request);
    const { callback } = await server.getServer();
    await callback(request, response);
  };
  return (request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if ((request.url ?? '').length > MAX_URL_CHARS) {
      refuse(response, 414, 'invalid_request');
      return;
    }
    if (hasEmptySegment(request)) {
      refuse(response, 404, 'invalid_request');
      return;
    }
    handle(request, response).catch((error: unknown) => {
      onFailure(`authorization server: ${error instanceof Error ? error.name : 'failed'}`);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'server_error');
    });
  };
};

/** Time for which a result is reused: a revoked token ends within it, in milliseconds. */
const REUSE_MS = 5000;

/** Access tokens of this server: 256 random bits. */
const FORM = /^[\w-]{43}$/u;

const INACTIVE: TokenOutcome = { ok: false, code: 'inactive' };

/** Returns the client that a token of the client credentials grant was issued to, with the scopes that its settings still permit. */
const lookUpService = async (
  { latest: { context, provider } }: CurrentServer,
  token: string,
): Promise<TokenOutcome> => {
  const { resource, issuer, now } = context;
  const stored = await provider.ClientCredentials.find(token);
  const client = stored?.clientId && (await provider.Client.find(stored.clientId));
  const expiresAt = (stored?.exp ?? 0) * 1000;
  if (!stored || !client || stored.aud !== resource || expiresAt <= now()) return INACTIVE;
  const permitted = new Set(client.scope?.split(' '));
  const principal = createPrincipal({
    issuer,
    subject: client.clientId,
    ...(client.clientName !== undefined && { name: client.clientName }),
    scopes: [...stored.scopes].filter((scope) => permitted.has(scope)),
  });
  return { ok: true, principal, expiresAt, reusableUntil: now() + REUSE_MS };
};

const lookUp = async (server: CurrentServer, token: string): Promise<TokenOutcome> => {
  const { context, provider } = server.latest;
  const { resource, accounts, adminGroups, now } = context;
  const stored = await provider.AccessToken.find(token);
  if (stored === undefined) return lookUpService(server, token);
  if (stored.aud !== resource) return INACTIVE;
  const [grant, account] = await Promise.all([
    provider.Grant.find(stored.grantId),
    accounts.find(stored.accountId),
  ]);
  const expiresAt = (stored.exp ?? 0) * 1000;
  if (grant === undefined || account === undefined || expiresAt <= now()) return INACTIVE;
  // The provider ended the sign-in of the user, for example when the ID token was refreshed.
  if (account.hasEnded === true) return INACTIVE;
  const scopes = filterScopes([...stored.scopes], account, adminGroups);
  const principal = { ...toPrincipal(account), scopes };
  return { ok: true, principal, expiresAt, reusableUntil: now() + REUSE_MS };
};

/** Returns the verification of access tokens: each one is looked up, so that a revoked token ends at once where results are not reused. */
const createAccessTokenVerifier = (server: CurrentServer): TokenVerifier => ({
  verify: async (token) => {
    if (!FORM.test(token)) return INACTIVE;
    try {
      return await lookUp(server, token);
    } catch {
      return { ok: false, code: 'unavailable' };
    }
  },
});

export interface BrokerOptions
  extends
    Pick<ServerContext, 'settings' | 'publicUrl' | 'resource' | 'adminGroups' | 'store'>,
    Pick<ServerContext, 'requiredAudiences' | 'onFailure'>,
    Partial<Pick<ServerContext, 'observe' | 'onSignedIn' | 'now'>> {
  /** Allows private addresses for documents of clients and for addresses that the provider names. */
  readonly allowPrivate: boolean;
  /** Reads a file with a secret; rejects with one sentence when it cannot. */
  readonly readSecret: (file: string) => Promise<string>;
  /** Path of the gateway at which users continue after they signed a browser in to it. */
  readonly returnPath: string;
  /** Fetches documents of clients; by default guarded against request forgery. */
  readonly fetchDocument?: GuardedFetch;
}

/** The gateway as an authorization server. */
export type Broker = Required<Omit<AuthBackend, 'close'>>;

const MAX_DOCUMENT_BYTES = 16 * 1024;
const MAX_UPSTREAM_BYTES = 1024 * 1024;
const FETCH_MS = 10_000;
const DOCUMENT_MS = 5000;

const createContext = (options: BrokerOptions): Omit<ServerContext, 'keys'> => {
  const { settings, publicUrl, allowPrivate, store, readSecret, onFailure } = options;
  const { observe = () => undefined, now = Date.now } = options;
  const issuer = publicUrl.origin;
  const upstreamOrigin = new URL(settings.upstream.issuer).origin;
  const { clientSecretFile } = settings.upstream;
  const accounts = createAccounts(store, settings.refreshTokenSeconds * 1000);
  const upstream = createUpstreamProvider({
    settings: settings.upstream,
    redirectUri: issuer + BROKER_PATHS.callback,
    // The operator names the provider, so it may have a private address; addresses that its metadata names may not.
    fetch: createGuardedFetch({
      allowPrivate: (url) => allowPrivate || url.origin === upstreamOrigin,
      maxBytes: MAX_UPSTREAM_BYTES,
      timeoutMs: FETCH_MS,
    }),
    clientSecret: async () =>
      clientSecretFile === undefined ? undefined : readSecret(clientSecretFile),
    now,
    groupsMs: settings.sessionSeconds * 1000,
    onFailure,
    onOutage: () => observe({ code: 'provider-unavailable' }),
  });
  const fetchDocument =
    options.fetchDocument ??
    createGuardedFetch({ allowPrivate, maxBytes: MAX_DOCUMENT_BYTES, timeoutMs: DOCUMENT_MS });
  return {
    ...options,
    onSignedIn: options.onSignedIn ?? (() => Promise.resolve()),
    observe,
    now,
    issuer,
    returnUri: issuer + options.returnPath,
    accounts,
    upstream,
    sessions: createUpstreamSessions({
      accounts,
      store,
      upstream,
      now,
      unconfirmedMs: settings.sessionSeconds * 1000,
    }),
    documents: createClientDocuments({
      settings: settings.clientIdMetadataDocuments,
      fetch: fetchDocument,
      store,
      now,
      onFailure,
    }),
  };
};

/** Returns the authorization server, whose keys are renewed while it runs. */
const createServer = async (options: BrokerOptions): Promise<CurrentServer> => {
  const unkeyed = createContext(options);
  const build: BuildServer = async () => {
    const context = { ...unkeyed, keys: await loadBrokerKeys(unkeyed.store, unkeyed.now()) };
    const provider = await createProvider(context, options.readSecret);
    return { context, provider, callback: provider.callback() };
  };
  return new CurrentServer(await build(), build);
};

type VisitHandler = (visit: Visit) => Promise<void>;

const refuseMethod = async ({ response }: Visit): Promise<void> => {
  response.writeHead(405, { allow: 'GET, POST' }).end();
  return Promise.resolve();
};

const createMethodHandler =
  (handlers: Readonly<Partial<Record<'GET' | 'POST', VisitHandler>>>): VisitHandler =>
  (visit) => {
    const { method } = visit.request;
    const handle = method === 'GET' || method === 'POST' ? handlers[method] : undefined;
    return (handle ?? refuseMethod)(visit);
  };

const readUid = (request: IncomingMessage): string =>
  (request.url ?? '').split('?', 1)[0]?.slice(BROKER_PATHS.interaction.length + 1) ?? '';

const showInteraction: VisitHandler = async (visit) => {
  const interaction = await findInteraction(visit, readUid(visit.request));
  if (interaction === undefined) return;
  const handle = interaction.prompt.name === 'consent' ? askConsent : continueLogin;
  await handle(visit, interaction);
};

const submitInteraction: VisitHandler = async (visit) => {
  const interaction = await findInteraction(visit, readUid(visit.request));
  if (interaction === undefined) return;
  if (interaction.prompt.name === 'consent') await decideConsent(visit, interaction);
  else fail(visit, 'form');
};

/** Serves pages: a failure is answered with a page, and its kind is reported without values. */
const createPageHandler =
  (server: CurrentServer, handle: VisitHandler): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) => {
    const answer = async (): Promise<void> => {
      const visit = { ...(await server.getServer()), request, response };
      await handle(visit).catch((error: unknown) => {
        const kind = error instanceof Error ? error.name : 'failed';
        visit.context.onFailure(`sign-in page: ${kind}`);
        if (response.headersSent) response.destroy();
        else fail(visit, 'unavailable');
      });
    };
    void answer();
  };

const START_PATHS = [
  BROKER_PATHS.authorize,
  BROKER_PATHS.deviceAuthorization,
  BROKER_PATHS.register,
];

const PROTOCOL_PATHS = [
  BROKER_PATHS.authorize,
  BROKER_PATHS.token,
  BROKER_PATHS.revoke,
  BROKER_PATHS.introspect,
  BROKER_PATHS.register,
  BROKER_PATHS.jwks,
  BROKER_PATHS.deviceAuthorization,
  BROKER_PATHS.device,
  BROKER_PATHS.oauthMetadata,
  BROKER_PATHS.openidMetadata,
];

/**
 * Creates the authorization server of mode `broker`: users sign in at one OpenID provider, and clients get tokens of the gateway. All
 * state is in the store, so that several processes with one store serve one sign-in. The metadata of the provider is fetched without
 * waiting for it; a failure is reported, and is tried again at each sign-in.
 *
 * @returns rejects when the store or a secret cannot be read
 */
export const createBroker = async (options: BrokerOptions): Promise<Broker> => {
  const { clientSecretFile } = options.settings.upstream;
  // A missing secret ends the start and not the first sign-in.
  if (clientSecretFile !== undefined) await options.readSecret(clientSecretFile);
  const server = await createServer(options);
  const { issuer, sessions, upstream } = server.latest.context;
  void upstream.check();
  const protocol = createProtocolHandler(server);
  const page = (handle: VisitHandler): RequestListener => createPageHandler(server, handle);
  return {
    verifier: createAccessTokenVerifier(server),
    authorizationServers: [issuer],
    scopes: GATEWAY_SCOPES,
    idTokens: sessions,
    browserUser: async (request, response, wanted) =>
      resolveBrowserUser({ ...(await server.getServer()), request, response }, wanted),
    routes: {
      ...Object.fromEntries(PROTOCOL_PATHS.map((path) => [path, protocol])),
      [BROKER_PATHS.callback]: page(createMethodHandler({ GET: handleCallback })),
      [BROKER_PATHS.logout]: page(createMethodHandler({ GET: askLogout, POST: decideLogout })),
    },
    startPaths: START_PATHS,
    prefixes: {
      [`${BROKER_PATHS.authorize}/`]: protocol,
      [`${BROKER_PATHS.device}/`]: protocol,
      [`${BROKER_PATHS.interaction}/`]: page(
        createMethodHandler({ GET: showInteraction, POST: submitInteraction }),
      ),
    },
  };
};
