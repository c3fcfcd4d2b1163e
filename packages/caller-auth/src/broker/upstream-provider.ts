import type { GuardedFetchError } from '@gateway/guarded-fetch';
import {
  createBasicAuthentication,
  conformOAuthAnswer,
  conformOAuthDocument,
} from '@gateway/service-host';
import * as client from 'openid-client';
import type { UpstreamSettings } from '../auth-settings.ts';
import {
  type Account,
  readAccount,
  findFailureCode,
  findFetchCode,
  isServerError,
  formatMetadataProblem,
  readRefreshedAccount,
  type SignedIn,
  type UpstreamOptions,
} from './upstream-account.ts';

/** The state of the provider, for one report per outage. */
class Outage {
  readonly #onBegin: () => void;
  #hasBegun = false;

  /** @param onBegin called when the provider does not answer, and not again before it has answered */
  constructor(onBegin: () => void) {
    this.#onBegin = onBegin;
  }

  /** Records that the provider did not answer. */
  readonly begin = (): void => {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#onBegin();
  };

  /** Records an answer of the provider. */
  readonly end = (): void => {
    this.#hasBegun = false;
  };
}

/** The values of a sign-in at the provider that its callback is compared with. */
export interface UpstreamLogin {
  readonly state: string;
  readonly nonce: string;
  /** Verifier of PKCE. */
  readonly verifier: string;
}

/**
 * The result of a request to the provider. `denied`: the user or the provider refused; `ended`: the refresh token is not valid any more;
 * `unavailable`: no answer; `invalid`: an answer that breaks the protocol.
 */
type UpstreamOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: 'denied' | 'ended' | 'unavailable' | 'invalid' };

/** How a user signs in whatever session the provider has: with the password again, or with an account that they choose. */
export type LoginPrompt = 'login' | 'select_account';

/** The wishes of a sign-in. */
interface WantedLogin {
  /** Audiences that downstream servers require of the ID token. */
  readonly audiences: readonly string[];
  readonly prompt: LoginPrompt | undefined;
}

/** The OpenID provider that users sign in at. No function rejects. */
export interface UpstreamProvider {
  /** Fetches the metadata, and reports in one sentence when the provider cannot be used. */
  check(): Promise<void>;
  /** Returns where to send the browser. */
  authorizationUrl(login: UpstreamLogin, wanted: WantedLogin): Promise<UpstreamOutcome<URL>>;
  /** Exchanges the code of a callback for tokens; checks `state`, `iss`, `nonce` and the signature of the ID token. */
  exchange(callback: URL, login: UpstreamLogin): Promise<UpstreamOutcome<SignedIn>>;
  /** Refreshes the tokens of an account. */
  refresh(account: Account): Promise<UpstreamOutcome<SignedIn>>;
}

/** Time for which the metadata of the provider is used, in milliseconds. */
const METADATA_MS = 60 * 60_000;

/** Failures of a guarded request after which another try cannot succeed. */
const REFUSALS: ReadonlySet<GuardedFetchError['code']> = new Set([
  'refused',
  'redirect',
  'too-large',
]);

const toFailure = (error: unknown): UpstreamOutcome<never> & { readonly ok: false } => {
  if (error instanceof client.AuthorizationResponseError) return { ok: false, code: 'denied' };
  if (error instanceof client.ResponseBodyError) {
    const isEnded = error.error === 'invalid_grant';
    return { ok: false, code: isEnded ? 'ended' : error.status >= 500 ? 'unavailable' : 'invalid' };
  }
  if (isServerError(error)) return { ok: false, code: 'unavailable' };
  const code = findFetchCode(error);
  return { ok: false, code: code === undefined || REFUSALS.has(code) ? 'invalid' : 'unavailable' };
};

const discover = async (options: UpstreamOptions): Promise<client.Configuration> => {
  const { settings, clientSecret } = options;
  const issuer = new URL(settings.issuer);
  const secret = await clientSecret();
  // The library encodes more characters of a secret than providers decode.
  const authentication = secret === undefined ? client.None() : createBasicAuthentication(secret);
  const configuration = await client.discovery(
    issuer,
    settings.clientId,
    undefined,
    authentication,
    {
      [client.customFetch]: async (url, init) => {
        const response = await options.fetch(url, init as RequestInit);
        const isToken = init.body instanceof URLSearchParams && init.body.has('grant_type');
        return isToken ? conformOAuthAnswer(response, 'token') : conformOAuthDocument(response);
      },
      execute: [
        client.enableNonRepudiationChecks,
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- the guarded `fetch` permits http for loopback addresses only
        ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  );
  return configuration;
};

/** Scopes that providers which do not know them refuse; they are requested if the metadata lists them. */
const ONLY_IF_LISTED: ReadonlySet<string> = new Set(['groups', 'offline_access']);

const formatScopes = (
  { scopes, audienceScope }: UpstreamSettings,
  configuration: client.Configuration,
  audiences: readonly string[],
): string => {
  const { scopes_supported: supported } = configuration.serverMetadata();
  const offered = scopes.filter(
    (scope) => !ONLY_IF_LISTED.has(scope) || supported?.includes(scope) === true,
  );
  const ofAudiences = audiences.map((audience) =>
    audienceScope.replaceAll('{audience}', () => audience),
  );
  return [...new Set([...offered, ...ofAudiences])].join(' ');
};

/** A provider that lists its prompts without the choice of an account asks for the password instead. */
const formatPrompt = (
  { authorizationParameters }: UpstreamSettings,
  configuration: client.Configuration,
  prompt: LoginPrompt | undefined,
): { readonly prompt?: string } => {
  if (prompt === undefined) return {};
  const { prompt: configured = '' } = authorizationParameters;
  const supported = configuration.serverMetadata()['prompt_values_supported'];
  const isKnown = !Array.isArray(supported) || supported.includes(prompt);
  const prompts = [...configured.split(' '), isKnown ? prompt : 'login'];
  return { prompt: [...new Set(prompts.filter((one) => one !== ''))].join(' ') };
};

/** Returns metadata that is fetched when it is needed, once for all requests at a time, and again after a failure. */
const cacheDiscovery = (
  options: UpstreamOptions,
  outage: Outage,
): (() => Promise<client.Configuration>) => {
  let current: { readonly at: number; readonly found: Promise<client.Configuration> } | undefined;
  return () => {
    const at = options.now();
    if (current !== undefined && at - current.at < METADATA_MS) return current.found;
    const next = { at, found: discover(options) };
    current = next;
    next.found.then(outage.end, (error: unknown) => {
      if (toFailure(error).code === 'unavailable') outage.begin();
      if (current === next) current = undefined;
    });
    return next.found;
  };
};

type Attempt = <T>(
  request: string,
  work: (configuration: client.Configuration) => Promise<T>,
) => Promise<UpstreamOutcome<T>>;

/** Returns a function that turns failures of requests into outcomes, and reports them. */
const createAttempt = (
  options: UpstreamOptions,
  discovered: () => Promise<client.Configuration>,
  outage: Outage,
): Attempt => {
  return async (request, work) => {
    try {
      const value = await work(await discovered());
      // The address of a sign-in needs no request while the metadata is known.
      if (request !== 'sign-in') outage.end();
      return { ok: true, value };
    } catch (error) {
      const { issuer } = options.settings;
      const failure = toFailure(error);
      if (failure.code === 'unavailable') outage.begin();
      if (failure.code === 'ended') outage.end();
      options.onFailure(`${request} at ${issuer}: ${failure.code} (${findFailureCode(error)})`);
      return failure;
    }
  };
};

const reportProblem = async (
  discovered: Promise<unknown>,
  { settings: { issuer }, onFailure }: UpstreamOptions,
): Promise<void> => {
  try {
    await discovered;
  } catch (error) {
    onFailure(`${issuer} cannot sign users in: ${formatMetadataProblem(error, issuer)}`);
  }
};

/** Returns the OpenID provider of the settings. Its metadata is fetched at the first request. */
export const createUpstreamProvider = (options: UpstreamOptions): UpstreamProvider => {
  const { settings, redirectUri } = options;
  const outage = new Outage(options.onOutage);
  const discovered = cacheDiscovery(options, outage);
  const attempt = createAttempt(options, discovered, outage);
  return {
    check: () => reportProblem(discovered(), options),
    authorizationUrl: (login, { audiences, prompt }) =>
      attempt('sign-in', async (configuration) =>
        client.buildAuthorizationUrl(configuration, {
          ...settings.authorizationParameters,
          ...formatPrompt(settings, configuration, prompt),
          redirect_uri: redirectUri,
          scope: formatScopes(settings, configuration, audiences),
          state: login.state,
          nonce: login.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(login.verifier),
          code_challenge_method: 'S256',
        }),
      ),
    exchange: (callback, login) =>
      attempt('callback', async (configuration) => {
        const tokens = await client.authorizationCodeGrant(configuration, callback, {
          expectedState: login.state,
          expectedNonce: login.nonce,
          pkceCodeVerifier: login.verifier,
          idTokenExpected: true,
        });
        const account = readAccount(tokens, options);
        if (account === undefined) throw new Error('the response has no ID token');
        return account;
      }),
    refresh: (account) =>
      attempt('refresh', async (configuration) => {
        const tokens = await client.refreshTokenGrant(configuration, account.refreshToken ?? '');
        return readRefreshedAccount(tokens, account, configuration, options);
      }),
  };
};
