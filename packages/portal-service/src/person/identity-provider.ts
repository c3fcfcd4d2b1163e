import type { GuardedFetch } from '@gateway/guarded-fetch';
import * as client from 'openid-client';
import type { SignInSettings } from '../settings/portal-settings.ts';
import { ProviderError } from './provider-error.ts';
import { providerClient, type ProviderClient } from './provider-client.ts';
import { sessionOfTokens } from './session-of-tokens.ts';
import type { PendingSignIn, SignedInSession } from './session-record.ts';

/** The parts of an {@link IdentityProvider}. */
export interface IdentityProviderParts {
  readonly settings: SignInSettings;
  readonly redirectUri: URL;
  readonly fetch: GuardedFetch;
  readonly now: () => number;
}

/** Where persons sign in. Every method rejects when the provider does not answer. */
export class IdentityProvider {
  readonly #parts: IdentityProviderParts;
  readonly #client: ProviderClient;
  readonly #resource: { readonly resource?: string };

  constructor(parts: IdentityProviderParts) {
    const { settings, fetch } = parts;
    this.#parts = parts;
    this.#client = providerClient(settings, fetch);
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

  /** Exchanges the code of a callback. Checks `state`, `iss` and `nonce`, and rejects when the person or the provider refused. */
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
    const session = sessionOfTokens(tokens, { settings, now: now() });
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
      return sessionOfTokens(tokens, { settings, now: now(), known: session });
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
