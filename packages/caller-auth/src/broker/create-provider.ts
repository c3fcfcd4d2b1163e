import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { GATEWAY_SCOPES } from '@gateway/call-contract';
import { createFormPageHeaders, type HtmlPage } from '@gateway/service-host';
import {
  type Configuration,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import { COMMAND_LINE_CLIENT } from '../auth-settings.ts';
import { createBrowserClient, parseClientMetadata, listKnownClients } from './clients.ts';
import { createModelAdapter } from './model-adapter.ts';
import {
  createDeviceCodePage,
  createDeviceConfirmationPage,
  createErrorPage,
  type FormFacts,
  createMessagePage,
} from './pages.ts';
import {
  BROKER_PATHS,
  resolveCookieNames,
  KNOWN_SCOPES,
  type ServerContext,
} from './server-context.ts';
import type { Account } from './upstream-account.ts';

/** Codes that were in the address of the form, by request: the form shows them, and the user compares them with the device. */
const prefilledCodes = new WeakMap<IncomingMessage, string>();

const MAX_CODE_CHARS = 20;

/** Remembers the code in the address of a device form. */
export const prefillCode = (request: IncomingMessage, code: string): void => {
  if (code.length <= MAX_CODE_CHARS) prefilledCodes.set(request, code);
};

/** Answers a request of the authorization server with a page. */
const respondPage = (ctx: KoaContextWithOIDC, page: HtmlPage): void => {
  ctx.set({ ...createFormPageHeaders(page) });
  ctx.body = page.html;
};

const createForm = (ctx: KoaContextWithOIDC): FormFacts => {
  const secret = ctx.oidc.session?.state?.['secret'];
  return {
    action: new URL(ctx.oidc.urlFor('code_verification')).pathname,
    token: typeof secret === 'string' ? secret : '',
  };
};

const formatProblem = (error: Error | undefined): string | undefined => {
  if (error === undefined) return undefined;
  return error.name === 'AbortedError'
    ? 'The sign-in was cancelled.'
    : 'The code is not valid or has expired. Enter the code that the device shows now.';
};

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/** Returns the settings of the device flow (RFC 8628) with its pages. */
const createDeviceFlow = (): DeviceFlow => ({
  enabled: true,
  charset: 'base-20',
  mask: '****-****',
  // Nothing about the device is shown, so nothing about it is stored.
  deviceInfo: () => ({}),
  userCodeInputSource: (ctx, _form, _out, error) => {
    const code = prefilledCodes.get(ctx.req) ?? '';
    if (error !== undefined) ctx.status = 400;
    respondPage(
      ctx,
      createDeviceCodePage(createForm(ctx), { code, problem: formatProblem(error) }),
    );
  },
  userCodeConfirmSource: (...[ctx, , client, , code]) => {
    const name = client.clientName ?? client.clientId;
    respondPage(ctx, createDeviceConfirmationPage(createForm(ctx), { code, name }));
  },
  successSource: (ctx) => {
    const page = createMessagePage(
      'Signed in',
      'The device is signed in. You can close this page.',
    );
    respondPage(ctx, page);
  },
});

type Features = NonNullable<Configuration['features']>;

/** Draft of Client ID Metadata Documents that is known to work; a new draft of the library does not start until it is reviewed. */
const DOCUMENTS_DRAFT = 'draft-02';

const createResourceIndicators = (context: ServerContext): Features['resourceIndicators'] => {
  const { resource, settings } = context;
  return {
    enabled: true,
    defaultResource: (_ctx, _client, oneOf) => oneOf ?? resource,
    useGrantedResource: () => true,
    getResourceServerInfo: (ctx, indicator, client) => {
      if (indicator !== resource) throw new errors.InvalidTarget();
      // The library reads the scopes after this. A client that asks for none gets all of its own.
      if (ctx.oidc.params?.['grant_type'] === 'client_credentials')
        ctx.oidc.params['scope'] ??= client.scope;
      return {
        scope: GATEWAY_SCOPES.join(' '),
        audience: resource,
        accessTokenFormat: 'opaque',
        accessTokenTTL: settings.accessTokenSeconds,
      };
    },
  };
};

/** Reduces the metadata of a registration to what this server uses, and returns an identifier for the client. */
const createClientId = (ctx: KoaContextWithOIDC): string => {
  const body = ctx.oidc.body ?? {};
  const outcome = parseClientMetadata(body);
  if (!outcome.ok) throw new errors.InvalidClientMetadata(outcome.problem);
  for (const name of Object.keys(body)) Reflect.deleteProperty(body, name);
  Object.assign(body, outcome.metadata);
  return randomBytes(24).toString('base64url');
};

/** Returns the parts of the protocol that the server offers. Parts that no MCP client needs are off. */
const createFeatures = (context: ServerContext): Features => {
  const { settings, documents } = context;
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    claimsParameter: { enabled: false },
    resourceIndicators: createResourceIndicators(context),
    deviceFlow: createDeviceFlow(),
    clientCredentials: { enabled: true },
    introspection: {
      enabled: true,
      // A client learns about its own tokens only.
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    registration: {
      enabled: settings.registration.enabled,
      initialAccessToken: false,
      issueRegistrationAccessToken: false,
      idFactory: createClientId,
    },
    clientIdMetadataDocument: {
      enabled: settings.clientIdMetadataDocuments.enabled,
      ack: DOCUMENTS_DRAFT,
      allowFetch: (_ctx, clientId) => documents.mayFetch(clientId),
    },
  };
};

/** Lifetime of a client that registered itself until a user approves it, in milliseconds. */
const NEW_CLIENT_MS = 60 * 60_000;

/** Lifetime of a sign-in in progress, in seconds. */
const INTERACTION_SECONDS = 600;
const CODE_SECONDS = 60;
const ID_TOKEN_SECONDS = 600;

const createLifetimes = ({ settings }: ServerContext): NonNullable<Configuration['ttl']> => ({
  AccessToken: settings.accessTokenSeconds,
  AuthorizationCode: CODE_SECONDS,
  ClientCredentials: settings.accessTokenSeconds,
  DeviceCode: INTERACTION_SECONDS,
  Grant: settings.refreshTokenSeconds,
  IdToken: ID_TOKEN_SECONDS,
  Interaction: INTERACTION_SECONDS,
  RefreshToken: settings.refreshTokenSeconds,
  Session: settings.sessionSeconds,
});

const createCookieSettings = ({
  publicUrl,
  keys,
}: ServerContext): NonNullable<Configuration['cookies']> => {
  const { session, interaction, resume } = resolveCookieNames(publicUrl);
  const options = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  return {
    names: { session, interaction, resume },
    keys: [...keys.cookies],
    long: { ...options, path: '/' },
    short: options,
  };
};

const isRefresh = (ctx: KoaContextWithOIDC): boolean =>
  ctx.oidc.route === 'token' && ctx.oidc.params?.['grant_type'] === 'refresh_token';

/** Returns the claims with which the command line and the clients of the settings show the user who signed in; no other client gets them. */
const toShownClaims = ({ email, name }: Account): { email?: string; name?: string } => ({
  ...(email === undefined ? {} : { email }),
  ...(name === undefined ? {} : { name }),
});

/** Ends the refresh of a client whose user the provider signed out: the account is not found then. */
const findAccount =
  ({ accounts, sessions, settings }: ServerContext): NonNullable<Configuration['findAccount']> =>
  async (ctx, accountId) => {
    const account = isRefresh(ctx)
      ? await sessions.confirm(accountId)
      : await accounts.find(accountId);
    if (account === undefined || account.hasEnded === true) return undefined;
    const known = [COMMAND_LINE_CLIENT, ...settings.clients.map(({ clientId }) => clientId)];
    const isKnown = known.includes(ctx.oidc.client?.clientId ?? '');
    return {
      accountId,
      claims: () => ({ sub: accountId, ...(isKnown ? toShownClaims(account) : {}) }),
    };
  };

/** A grant is found only by the consent that made it, so that each sign-in has tokens of its own and asks for consent. */
const loadExistingGrant: NonNullable<Configuration['loadExistingGrant']> = (ctx) => {
  const { result, provider } = ctx.oidc;
  const grantId = result?.consent?.grantId;
  return grantId === undefined ? undefined : provider.Grant.find(grantId);
};

const ROUTES: NonNullable<Configuration['routes']> = {
  authorization: BROKER_PATHS.authorize,
  token: BROKER_PATHS.token,
  revocation: BROKER_PATHS.revoke,
  introspection: BROKER_PATHS.introspect,
  registration: BROKER_PATHS.register,
  jwks: BROKER_PATHS.jwks,
  device_authorization: BROKER_PATHS.deviceAuthorization,
  code_verification: BROKER_PATHS.device,
};

/** Clients may let the user choose an account (`prompt=select_account`), which is a sign-in at the provider. OpenID Connect Core §3.1.2.1 */
const createInteractionPolicy = (): interactionPolicy.DefaultPolicy => {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
};

const createConfiguration = (
  context: ServerContext,
  clients: Configuration['clients'],
): Configuration => ({
  adapter: createModelAdapter({
    store: context.store,
    now: context.now,
    newClientMs: NEW_CLIENT_MS,
  }),
  clients,
  scopes: KNOWN_SCOPES,
  claims: { openid: ['sub', 'email', 'name'] },
  clientDefaults: { grant_types: ['authorization_code', 'refresh_token'] },
  clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
  responseTypes: ['code'],
  pkce: { required: () => true },
  jwks: { keys: [...context.keys.signing] },
  cookies: createCookieSettings(context),
  ttl: createLifetimes(context),
  routes: ROUTES,
  // Names the client that the command line of the gateway is here (RFC 8414 §2 permits further members).
  discovery: { gateway_command_line_client: COMMAND_LINE_CLIENT },
  features: createFeatures(context),
  interactions: {
    policy: createInteractionPolicy(),
    url: (_ctx, { uid }) => `${BROKER_PATHS.interaction}/${uid}`,
  },
  findAccount: findAccount(context),
  loadExistingGrant,
  rotateRefreshToken: true,
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  expiresWithSession: () => false,
  // The code of a public client in a browser: any origin that its redirect URIs name may read the answer.
  clientBasedCORS: (_ctx, origin, client) =>
    (client.redirectUris ?? []).some((uri) => URL.canParse(uri) && new URL(uri).origin === origin),
  renderError: (ctx, out) => respondPage(ctx, createErrorPage(out.error)),
  fetch: (url) => context.documents.fetch(url instanceof Request ? url.url : url.toString()),
});

/** Returns the authorization server: the protocol of OAuth and OpenID Connect, without the pages of a sign-in. */
export const createProvider = async (
  context: ServerContext,
  readSecret: (file: string) => Promise<string>,
): Promise<Provider> => {
  const known = await listKnownClients(context.settings.clients, readSecret);
  const clients = [...known, createBrowserClient(context.returnUri)];
  const provider = new Provider(context.issuer, createConfiguration(context, clients));
  // The host and the scheme that requests are for are those of the public URL; `handleProtocol` sets them on each request.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => {
    context.onFailure(`authorization server: ${error.name}`);
  });
  provider.on('registration_create.success', (_ctx, client) => {
    context.observe({ code: 'client-registered', client: client.clientId });
  });
  return provider;
};

/** Returns whether an error says that a sign-in is not known or not that of the browser. */
export const isSessionError = (error: unknown): boolean => error instanceof errors.SessionNotFound;
