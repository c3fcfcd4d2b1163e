import { ADMIN_SCOPE, GATEWAY_SCOPES, type Principal } from '@gateway/call-contract';
import type { StateStore } from '@gateway/state-store';
import type { Provider } from 'oidc-provider';
import type { CallerSignInObserver } from '../auth-backend.ts';
import type { BrokerSettings } from '../auth-settings.ts';
import type { BrokerKeys } from './broker-keys.ts';
import { isMember } from '../resource-server/claims.ts';
import type { ClientDocuments } from './client-documents.ts';
import type { UpstreamSessions } from './id-tokens.ts';
import type { Account, Accounts } from './upstream-account.ts';
import type { UpstreamProvider } from './upstream-provider.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { FAILURE_PAGES, type FailurePage } from './pages.ts';
import { sendFormPage } from '@gateway/service-host';

/** The paths of the authorization server. */
export const BROKER_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  introspect: '/oauth/introspect',
  register: '/oauth/register',
  jwks: '/oauth/jwks',
  deviceAuthorization: '/oauth/device_authorization',
  device: '/oauth/device',
  interaction: '/oauth/interaction',
  callback: '/oauth/upstream/callback',
  logout: '/oauth/logout',
  oauthMetadata: '/.well-known/oauth-authorization-server',
  openidMetadata: '/.well-known/openid-configuration',
} as const;

/** Names and attributes of cookies. */
interface CookieNames {
  readonly session: string;
  readonly interaction: string;
  readonly resume: string;
  /** Prefix of the cookie that binds a sign-in at the provider to the browser. */
  readonly login: string;
  readonly isSecure: boolean;
}

/**
 * Returns the names of cookies. With https the prefixes `__Host-` and `__Secure-` make browsers refuse them from other hosts and over
 * http; a cookie with a path of its own cannot have `__Host-`.
 */
export const resolveCookieNames = (publicUrl: URL): CookieNames => {
  const isSecure = publicUrl.protocol === 'https:';
  const [host, secure] = isSecure ? ['__Host-', '__Secure-'] : ['', ''];
  return {
    session: `${host}gateway_session`,
    interaction: `${secure}gateway_interaction`,
    resume: `${secure}gateway_resume`,
    login: `${host}gateway_login_`,
    isSecure,
  };
};

/** Scopes that the authorization server knows. */
export const KNOWN_SCOPES: readonly string[] = ['openid', 'offline_access', ...GATEWAY_SCOPES];

/** Returns those of some scopes that a user may have. */
export const filterScopes = (
  scopes: readonly string[],
  { groups = [] }: Pick<Account, 'groups'>,
  adminGroups: readonly string[],
): readonly string[] =>
  scopes.filter((scope) => scope !== ADMIN_SCOPE || isMember(groups, adminGroups));

/** Dependencies of the parts of the authorization server. */
export interface ServerContext {
  readonly settings: BrokerSettings;
  /** URL of the gateway, without a path; the issuer of the authorization server is the same text. */
  readonly publicUrl: URL;
  readonly issuer: string;
  /** Identifier of the gateway as a resource (RFC 8707). */
  readonly resource: string;
  readonly adminGroups: readonly string[];
  readonly store: StateStore;
  readonly keys: BrokerKeys;
  readonly accounts: Accounts;
  readonly upstream: UpstreamProvider;
  readonly sessions: UpstreamSessions;
  readonly documents: ClientDocuments;
  /** Where a browser continues after it was signed in to the gateway. */
  readonly returnUri: string;
  /** Returns the audiences that downstream servers require of ID tokens at this moment. */
  readonly requiredAudiences: () => readonly string[];
  readonly now: () => number;
  /** Called with one line about a failure, without values of requests. */
  readonly onFailure: (line: string) => void;
  readonly observe: CallerSignInObserver;
  /** Called after a user signed in, before the browser continues. Never rejects. */
  readonly onSignedIn: (principal: Principal) => Promise<void>;
}

/** The authorization server with the keys of one period. */
interface KeyedServer {
  readonly context: ServerContext;
  readonly provider: Provider;
  readonly callback: ReturnType<Provider['callback']>;
}

/** Creates the authorization server with the keys of the present period. */
export type BuildServer = () => Promise<KeyedServer>;

/** Pause after keys could not be renewed, in milliseconds. */
const RETRY_MS = 60_000;

/**
 * The authorization server with the keys of the present period. Its keys are renewed by the first request of a period. While they cannot be
 * read, the present ones stay in use.
 */
export class CurrentServer {
  readonly #build: BuildServer;
  #latest: KeyedServer;
  #renewing: Promise<KeyedServer> | undefined;
  #retryAt = 0;

  constructor(first: KeyedServer, build: BuildServer) {
    this.#latest = first;
    this.#build = build;
  }

  /** Returns the server without a renewal: for what does not depend on keys. */
  get latest(): KeyedServer {
    return this.#latest;
  }

  /** Returns the server, with renewed keys where they are due. Never rejects. */
  async getServer(): Promise<KeyedServer> {
    const { keys, now } = this.#latest.context;
    if (now() < keys.renewAt || now() < this.#retryAt) return this.#latest;
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<KeyedServer> {
    const { now, onFailure } = this.#latest.context;
    try {
      this.#latest = await this.#build();
    } catch (error) {
      this.#retryAt = now() + RETRY_MS;
      onFailure(`keys cannot be renewed: ${error instanceof Error ? error.name : 'failed'}`);
    }
    return this.#latest;
  }
}

/** A sign-in in progress, as the authorization server stores it. */
export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** A request of a browser in a sign-in. */
export interface Visit {
  readonly context: ServerContext;
  readonly provider: Provider;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers with the page for a sign-in that cannot continue. */
export const fail = ({ response }: Visit, page: FailurePage): void =>
  sendFormPage(response, page === 'unavailable' ? 503 : 400, FAILURE_PAGES[page]);

/** Sends the browser to another address with GET. */
export const redirect = ({ response }: Visit, location: string): void => {
  response.writeHead(303, {
    location,
    'cache-control': 'no-store',
    'content-length': 0,
    'referrer-policy': 'no-referrer',
  });
  response.end();
};

/** Ends an interaction without a result for the client: the user refused, or the provider did. */
export const finishDenied = ({ provider, request, response }: Visit): Promise<void> =>
  provider.interactionFinished(
    request,
    response,
    { error: 'access_denied', error_description: 'The sign-in was denied.' },
    { mergeWithLastSubmission: false },
  );
