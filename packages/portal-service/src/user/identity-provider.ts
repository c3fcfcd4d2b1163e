import * as client from 'openid-client';
import type { GuardedFetch } from '@gateway/guarded-fetch';
import { formatBasicAuthorization } from '@gateway/service-host';
import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import type { SignInSettings } from '../settings.ts';
import type { PendingSignIn, SignedInSession } from './sessions.ts';

/** The provider did not answer, or answered something else than tokens. */
export class ProviderError extends Error {
  constructor() {
    super('the provider of the sign-in did not answer');
    this.name = 'ProviderError';
  }
}

/** Returns the client of the provider, with the provider's metadata. Rejects when the provider does not answer. */
type ProviderClient = () => Promise<client.Configuration>;

const createBasicAuth =
  (clientId: string, clientSecret: string): client.ClientAuth =>
  (_server, _client, _body, headers) => {
    headers.set('authorization', formatBasicAuthorization({ clientId, clientSecret }));
  };

const discover = async (
  { issuer, clientId, clientSecret, scopes }: SignInSettings,
  fetch: GuardedFetch,
): Promise<client.Configuration> => {
  const secret = await clientSecret();
  const url = new URL(issuer);
  return client.discovery(
    url,
    clientId,
    undefined,
    secret === undefined ? client.None() : createBasicAuth(clientId, secret),
    {
      algorithm: scopes.includes('openid') ? 'oidc' : 'oauth2',
      [client.customFetch]: (target, init) => fetch(target, init as RequestInit),
      execute: [
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- the guarded `fetch` permits http for loopback addresses only
        ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  );
};

/** Creates a client that reads the metadata at the first sign-in, and again after a failure. */
const createProviderClient = (settings: SignInSettings, fetch: GuardedFetch): ProviderClient => {
  let discovered: Promise<client.Configuration> | undefined;
  return () => {
    discovered ??= discover(settings, fetch).catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  };
};

/** Seconds that a token counts where the provider does not say. */
const DEFAULT_SECONDS = 300;
/** Characters of a name that are shown. */
const MAX_NAME = 200;

/** A response of the token endpoint. */
type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** The circumstances of a response. */
interface TokenCircumstances {
  readonly settings: Pick<SignInSettings, 'token'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The session before a refresh. */
  readonly known?: SignedInSession;
}

const readUser = (
  tokens: Tokens,
  known: SignedInSession | undefined,
): Pick<SignedInSession, 'subject' | 'name'> => {
  const claims = tokens.claims();
  if (claims === undefined) return { subject: known?.subject ?? '', name: known?.name ?? '' };
  const { sub, email, name, preferred_username: username } = claims;
  const shown = [name, email, username].find((text) => typeof text === 'string' && text !== '');
  return { subject: sub, name: (typeof shown === 'string' ? shown : sub).slice(0, MAX_NAME) };
};

/** The token of the services and its end; undefined when a new one is needed and the response has none. */
const findAuthorization = (
  tokens: Tokens,
  { settings, now }: TokenCircumstances,
): Pick<SignedInSession, 'token' | 'expiresAt'> | undefined => {
  if (settings.token === 'access_token')
    return {
      token: tokens.access_token,
      expiresAt: now + (tokens.expiresIn() ?? DEFAULT_SECONDS) * 1_000,
    };
  const claims = tokens.claims();
  return tokens.id_token === undefined || claims === undefined
    ? undefined
    : { token: tokens.id_token, expiresAt: claims.exp * 1_000 };
};

/**
 * Returns the session of a response of the token endpoint; undefined when the response lacks the token of the services. After a
 * refresh a provider may leave out what has not changed.
 */
const toSession = (
  tokens: Tokens,
  circumstances: TokenCircumstances,
): SignedInSession | undefined => {
  const { known } = circumstances;
  const authorization = findAuthorization(tokens, circumstances);
  const idToken = tokens.id_token ?? known?.idToken;
  const refreshToken = tokens.refresh_token ?? known?.refreshToken;
  // An empty subject identifies no user.
  return authorization === undefined || tokens.claims()?.sub === ''
    ? undefined
    : {
        ...readUser(tokens, known),
        ...authorization,
        ...(refreshToken !== undefined && { refreshToken }),
        ...(idToken !== undefined && { idToken }),
      };
};

/** The parts of an {@link IdentityProvider}. */
interface IdentityProviderParts {
  readonly settings: SignInSettings;
  readonly redirectUri: URL;
  readonly fetch: GuardedFetch;
  readonly now: () => number;
}

/** Where users sign in. Every method rejects when the provider does not answer. */
export class IdentityProvider {
  readonly #parts: IdentityProviderParts;
  readonly #client: ProviderClient;
  readonly #resource: { readonly resource?: string };

  constructor(parts: IdentityProviderParts) {
    const { settings, fetch } = parts;
    this.#parts = parts;
    this.#client = createProviderClient(settings, fetch);
    this.#resource = settings.resource === undefined ? {} : { resource: settings.resource };
  }

  /** Returns a new sign-in, and where to send the browser. */
  async start(returnTo: string): Promise<{ readonly pending: PendingSignIn; readonly url: URL }> {
    const { settings, redirectUri } = this.#parts;
    const [state, nonce, verifier] = [
      client.randomState(),
      client.randomNonce(),
      client.randomPKCECodeVerifier(),
    ];
    const url = client.buildAuthorizationUrl(await this.#client(), {
      redirect_uri: redirectUri.href,
      scope: settings.scopes.join(' '),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...this.#resource,
    });
    return { pending: { state, nonce, verifier, returnTo }, url };
  }

  /** Exchanges the code of a callback. Checks `state`, `iss` and `nonce`, and rejects when the user or the provider refused. */
  async complete(
    callback: URL,
    { state, nonce, verifier }: PendingSignIn,
  ): Promise<SignedInSession> {
    const { settings, now } = this.#parts;
    const checks = {
      expectedState: state,
      pkceCodeVerifier: verifier,
      ...(settings.scopes.includes('openid') && { expectedNonce: nonce }),
    };
    const tokens = await client.authorizationCodeGrant(
      await this.#client(),
      callback,
      checks,
      this.#resource,
    );
    const session = toSession(tokens, { settings, now: now() });
    if (session === undefined) throw new ProviderError();
    return session;
  }

  /** Returns the session with a new token; undefined when the provider has ended it. Rejects with a {@link ProviderError}. */
  async refresh(session: SignedInSession): Promise<SignedInSession | undefined> {
    const { settings, now } = this.#parts;
    const { refreshToken } = session;
    if (refreshToken === undefined) return undefined;
    try {
      const configuration = await this.#client();
      const tokens = await client.refreshTokenGrant(configuration, refreshToken, this.#resource);
      return toSession(tokens, { settings, now: now(), known: session });
    } catch (error) {
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant')
        return undefined;
      throw new ProviderError();
    }
  }

  /** Revokes the tokens of a session, where the provider can (RFC 7009). Never rejects: the session has ended here. */
  async revoke({ refreshToken, token }: SignedInSession): Promise<void> {
    const { settings } = this.#parts;
    const revoked = refreshToken ?? (settings.token === 'access_token' ? token : undefined);
    if (revoked === undefined) return;
    try {
      const configuration = await this.#client();
      if (configuration.serverMetadata().revocation_endpoint !== undefined)
        await client.tokenRevocation(configuration, revoked);
    } catch {
      // The tokens end by themselves.
    }
  }

  /** Returns where the provider ends its own session; undefined when it has no such page. */
  async endUrl({ idToken }: SignedInSession, returnTo: URL): Promise<URL | undefined> {
    const configuration = await this.#client();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    // The address passes through the browser, which never gets a token that the services accept.
    const isBearer = this.#parts.settings.token === 'id_token';
    return client.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: returnTo.href,
      ...(idToken !== undefined && !isBearer && { id_token_hint: idToken }),
    });
  }
}
