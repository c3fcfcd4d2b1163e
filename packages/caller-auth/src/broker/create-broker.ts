import type { IncomingMessage, ServerResponse, RequestListener } from 'node:http';
import { createGuardedFetch, type GuardedFetch } from '@gateway/guarded-fetch';
import type { AuthBackend } from '../auth-backend.ts';
import { GATEWAY_SCOPES, type TokenVerifier, type TokenOutcome } from '../tokens/token-verifier.ts';
import { loadBrokerKeys } from './broker-keys.ts';
import { askLogout, browserPerson, decideLogout } from './browser-session.ts';
import { createClientDocuments } from './client-documents.ts';
import { askConsent, decideConsent } from './consent.ts';
import { createProvider } from './create-provider.ts';
import { createProtocolHandler } from './handle-protocol.ts';
import { createUpstreamSessions } from './id-tokens.ts';
import { continueLogin, handleCallback, interactionOf } from './login.ts';
import {
  BROKER_PATHS,
  type BuildServer,
  CurrentServer,
  permittedScopes,
  type ServerContext,
} from './server-context.ts';
import { createAccounts, principalOf } from './upstream-account.ts';
import { createUpstreamProvider } from './upstream-provider.ts';
import { fail, type Visit } from './visit.ts';

/** Time for which a result is reused: a revoked token ends within it, in milliseconds. */
const REUSE_MS = 5000;

/** Access tokens of this server: 256 random bits. */
const FORM = /^[\w-]{43}$/u;

const INACTIVE: TokenOutcome = { ok: false, code: 'inactive' };

const lookUp = async (
  { latest: { context, provider } }: CurrentServer,
  token: string,
): Promise<TokenOutcome> => {
  const { resource, accounts, adminGroups, now } = context;
  const stored = await provider.AccessToken.find(token);
  if (stored === undefined || stored.aud !== resource) return INACTIVE;
  const [grant, account] = await Promise.all([
    provider.Grant.find(stored.grantId),
    accounts.find(stored.accountId),
  ]);
  const expiresAt = (stored.exp ?? 0) * 1000;
  if (grant === undefined || account === undefined || expiresAt <= now()) return INACTIVE;
  // The provider ended the sign-in of the person, for example when the ID token was refreshed.
  if (account.hasEnded === true) return INACTIVE;
  const scopes = permittedScopes([...stored.scopes], account, adminGroups);
  const principal = { ...principalOf(account), scopes };
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

/** The options of {@link createBroker}. */
export interface BrokerOptions
  extends
    Pick<ServerContext, 'settings' | 'publicUrl' | 'resource' | 'adminGroups' | 'store'>,
    Pick<ServerContext, 'requiredAudiences' | 'onFailure'>,
    Partial<Pick<ServerContext, 'observe' | 'onSignedIn' | 'now'>> {
  /** Allows private addresses for documents of clients and for addresses that the provider names. */
  readonly allowPrivate: boolean;
  /** Reads a file with a secret; rejects with one sentence when it cannot. */
  readonly readSecret: (file: string) => Promise<string>;
  /** Path of the gateway at which persons continue after they signed a browser in to it. */
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

const byMethod =
  (handlers: Readonly<Partial<Record<'GET' | 'POST', VisitHandler>>>): VisitHandler =>
  (visit) => {
    const { method } = visit.request;
    const handle = method === 'GET' || method === 'POST' ? handlers[method] : undefined;
    return (handle ?? refuseMethod)(visit);
  };

const uidOf = (request: IncomingMessage): string =>
  (request.url ?? '').split('?', 1)[0]?.slice(BROKER_PATHS.interaction.length + 1) ?? '';

const showInteraction: VisitHandler = async (visit) => {
  const interaction = await interactionOf(visit, uidOf(visit.request));
  if (interaction === undefined) return;
  const handle = interaction.prompt.name === 'consent' ? askConsent : continueLogin;
  await handle(visit, interaction);
};

const submitInteraction: VisitHandler = async (visit) => {
  const interaction = await interactionOf(visit, uidOf(visit.request));
  if (interaction === undefined) return;
  if (interaction.prompt.name === 'consent') await decideConsent(visit, interaction);
  else fail(visit, 'form');
};

/** Serves pages: a failure is answered with a page, and its kind is reported without values. */
const pageHandler =
  (server: CurrentServer, handle: VisitHandler): RequestListener =>
  (request: IncomingMessage, response: ServerResponse) => {
    const answer = async (): Promise<void> => {
      const visit = { ...(await server.present()), request, response };
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
 * Creates the authorization server of mode `broker`: persons sign in at one OpenID provider, and clients get tokens of the gateway. All
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
  const page = (handle: VisitHandler): RequestListener => pageHandler(server, handle);
  return {
    verifier: createAccessTokenVerifier(server),
    authorizationServers: [issuer],
    scopes: GATEWAY_SCOPES,
    idTokens: sessions,
    browserPerson: async (request, response, wanted) =>
      browserPerson({ ...(await server.present()), request, response }, wanted),
    routes: {
      ...Object.fromEntries(PROTOCOL_PATHS.map((path) => [path, protocol])),
      [BROKER_PATHS.callback]: page(byMethod({ GET: handleCallback })),
      [BROKER_PATHS.logout]: page(byMethod({ GET: askLogout, POST: decideLogout })),
    },
    startPaths: START_PATHS,
    prefixes: {
      [`${BROKER_PATHS.authorize}/`]: protocol,
      [`${BROKER_PATHS.device}/`]: protocol,
      [`${BROKER_PATHS.interaction}/`]: page(
        byMethod({ GET: showInteraction, POST: submitInteraction }),
      ),
    },
  };
};
