import type {
  IdTokenSource,
  Principal,
  Credential,
  CredentialOutcome,
  Rejection,
} from '@gateway/call-contract';
import {
  resolveAuthStrategy,
  type ClientCredentialsSecretRef,
  type EnabledTokenExchange,
  resolveExpectedIssuer,
  type McpServer,
} from '@gateway/crd-schemas';
import { createGuardedFetch, type GuardedFetch, GuardedFetchError } from '@gateway/guarded-fetch';
import { formatBasicAuthorization, type ClientCredentials } from '@gateway/service-host';
import { LRUCache } from 'lru-cache';
import { readClientCredentials } from '../clients/identify-client.ts';
import {
  toAudienceScope,
  createBearerCredential,
  findIdToken,
  isSignedOut,
  mayReceiveTokens,
  readUnverifiedClaims,
} from '../id-tokens/id-token.ts';
import type { SecretSource, TokenStrategy } from '../ports/credentials.ts';
import type { ServerSignInObserver } from '../ports/sign-in.ts';
import { createCacheLimit } from '../storage/state.ts';
import {
  type ExchangeFailure,
  exchangeProblem,
  exchangeRefusal,
  type ExchangeResult,
  readExchangeResponse,
} from './exchange-response.ts';

const MAX_BYTES = 256 * 1024;
const TIMEOUT_MS = 30_000;

/** Returns the `fetch` for token endpoints. The operator writes their URLs, so that they may have private addresses. */
export const createExchangeFetch = (): GuardedFetch =>
  createGuardedFetch({ allowPrivate: true, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS });

/** RFC 8693 §2.1 */
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange';
/** RFC 8693 §3 */
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';

/** Returns the scopes of the exchanged token, each once: those of the settings, then one for each audience. @spec §2.6 scopes */
const exchangeScopes = (
  { scopes }: Pick<EnabledTokenExchange, 'scopes'>,
  audiences: readonly string[],
):
  | { readonly ok: true; readonly scope: string }
  | { readonly ok: false; readonly failure: ExchangeFailure } => {
  const wrong = audiences.find((audience) => toAudienceScope(audience) === undefined);
  if (wrong !== undefined)
    return { ok: false, failure: { code: 'exchange.audience', audience: wrong } };
  const all = [...scopes.split(' '), ...audiences.map((each) => toAudienceScope(each) ?? '')];
  return { ok: true, scope: [...new Set(all)].join(' ') };
};

interface ExchangeDependencies {
  readonly fetch: GuardedFetch;
  readonly secrets: SecretSource;
  readonly now: () => number;
}

type Client =
  | { readonly ok: true; readonly client?: ClientCredentials }
  | { readonly ok: false; readonly failure: ExchangeFailure };

/** Reads both parts of the credentials. A referenced Secret that cannot be read stops the exchange. @spec §2.6 */
const readClient = async (
  ref: ClientCredentialsSecretRef | undefined,
  secrets: SecretSource,
): Promise<Client> => {
  if (ref === undefined) return { ok: true };
  const read = await readClientCredentials(ref, secrets);
  if (read.ok) return { ok: true, client: read.credentials };
  return { ok: false, failure: { code: 'exchange.credentials', reason: read.reason } };
};

const createFailure = (failure: ExchangeFailure): ExchangeResult => ({ ok: false, failure });

const findInsecureField = (exchange: EnabledTokenExchange): ExchangeFailure | undefined => {
  if (!mayReceiveTokens(exchange.dexTokenEndpoint))
    return { code: 'exchange.insecure', field: 'dexTokenEndpoint' };
  return mayReceiveTokens(resolveExpectedIssuer(exchange))
    ? undefined
    : { code: 'exchange.insecure', field: 'expectedIssuer' };
};

const isExpired = (token: string, now: number): boolean =>
  (readUnverifiedClaims(token)?.expiresAt ?? now) <= now;

const listSecrets = (subjectToken: string, client: ClientCredentials | undefined) => [
  subjectToken,
  ...subjectToken.split('.'),
  ...(client === undefined ? [] : [client.clientSecret]),
];

/** Exchanges the ID token of a user. Sends nothing when a precondition fails. Never rejects. @spec §2.6 tokenExchange; RFC 8693 §2 */
const exchangeToken = async (
  { exchange, requiredAudiences }: Pick<ExchangeTarget, 'exchange' | 'requiredAudiences'>,
  subjectToken: string,
  { fetch, secrets, now }: ExchangeDependencies,
): Promise<ExchangeResult> => {
  const insecure = findInsecureField(exchange);
  if (insecure !== undefined) return createFailure(insecure);
  const scopes = exchangeScopes(exchange, requiredAudiences);
  if (!scopes.ok) return scopes;
  if (isExpired(subjectToken, now()))
    return createFailure({ code: 'exchange.id-token', problem: { code: 'expired' } });
  const read = await readClient(exchange.clientCredentialsSecretRef, secrets);
  if (!read.ok) return read;
  const { client } = read;
  const { connectorId, dexTokenEndpoint } = exchange;
  // RFC 8693 §2.1
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(client !== undefined && { authorization: formatBasicAuthorization(client) }),
    },
    body: new URLSearchParams({
      grant_type: GRANT_TYPE,
      subject_token: subjectToken,
      subject_token_type: ID_TOKEN,
      requested_token_type: ID_TOKEN,
      connector_id: connectorId,
      scope: scopes.scope,
    }).toString(),
  };
  try {
    const response = await fetch(dexTokenEndpoint, request);
    return readExchangeResponse(
      { status: response.status, body: await response.text() },
      {
        issuer: resolveExpectedIssuer(exchange),
        now: now(),
        secrets: listSecrets(subjectToken, client),
      },
    );
  } catch (error) {
    // Messages of other errors could repeat parts of the request.
    const reason = error instanceof GuardedFetchError ? error.message : 'the request failed';
    return createFailure({ code: 'exchange.unreachable', reason });
  }
};

type ExchangedCredential =
  | { readonly ok: true; readonly credential: Credential }
  | { readonly ok: false; readonly failure: ExchangeFailure };

type PerformExchange = () => Promise<ExchangeResult>;

interface Entry {
  readonly credential: Credential;
  readonly obtainedAt: number;
  readonly refreshAt: number;
  readonly endsAt: number;
  /** The token replaces one that the server refused. */
  readonly isRenewal: boolean;
}

interface Failed {
  readonly failure: ExchangeFailure;
  readonly until: number;
}

const MAX_CHARS = 64 * 1024 * 1024;
/** A smaller entry counts as this large, so that there are at most 50,000. */
const MIN_ENTRY_CHARS = Math.ceil(MAX_CHARS / 50_000);
const MAX_FAILURES = 10_000;
/** A token is not used in its last seconds, because a request takes time. */
const EARLY_MS = 30_000;
/** A token is replaced in its last minutes, at the latest when half its lifetime is over. */
const REFRESH_MS = 5 * 60_000;
/** Interval between attempts after a failure: that of the first exchange, and that of a replacement. */
const FAILURE_MS = 5_000;
const REFRESH_INTERVAL_MS = 30_000;
/** A replaced token that is refused again within this time is not replaced again. */
const RENEWAL_MS = 30_000;

/** The exchanged tokens of this process, by key. A token is replaced in the background before it expires; the least recently used is evicted. */
class ExchangedTokens {
  readonly #now: () => number;
  readonly #running = new Map<string, Promise<ExchangedCredential>>();
  readonly #failures = new LRUCache<string, Failed>(createCacheLimit(MAX_FAILURES));
  readonly #entries = new LRUCache<string, Entry>({
    // Without `max`, for which the library reserves memory.
    maxSize: MAX_CHARS,
    sizeCalculation: ({ credential }, key) =>
      Math.max(MIN_ENTRY_CHARS, credential.authorization.length + key.length),
  });

  constructor(now: () => number) {
    this.#now = now;
  }

  current(
    key: string,
    perform: PerformExchange,
  ): ExchangedCredential | Promise<ExchangedCredential> {
    const entry = this.#usable(key);
    if (entry === undefined) return this.#obtain(key, perform, false);
    if (this.#now() >= entry.refreshAt && !this.#running.has(key))
      this.#refresh(key, entry, perform);
    return { ok: true, credential: entry.credential };
  }

  async renew(
    key: string,
    refused: Credential,
    perform: PerformExchange,
  ): Promise<ExchangedCredential> {
    const entry = this.#usable(key);
    if (entry === undefined) return this.#obtain(key, perform, true);
    const { credential, isRenewal, obtainedAt } = entry;
    if (credential.id !== refused.id) return { ok: true, credential };
    if (isRenewal && this.#now() < obtainedAt + RENEWAL_MS)
      return { ok: false, failure: { code: 'exchange.rejected' } };
    this.#entries.delete(key);
    return this.#obtain(key, perform, true);
  }

  #usable(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#now() < entry.endsAt ? entry : undefined;
  }

  #obtain(
    key: string,
    perform: PerformExchange,
    isRenewal: boolean,
  ): ExchangedCredential | Promise<ExchangedCredential> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const failed = this.#failures.get(key);
    if (failed !== undefined && this.#now() < failed.until)
      return { ok: false, failure: failed.failure };
    return this.#run(key, perform, isRenewal);
  }

  async #run(
    key: string,
    perform: PerformExchange,
    isRenewal: boolean,
  ): Promise<ExchangedCredential> {
    const exchanged = perform()
      .then((result) => this.#settle(key, result, isRenewal))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, exchanged);
    return exchanged;
  }

  /** The current token stays until it ends when its replacement fails. */
  #refresh(key: string, entry: Entry, perform: PerformExchange): void {
    this.#entries.set(key, { ...entry, refreshAt: this.#now() + REFRESH_INTERVAL_MS });
    void this.#run(key, perform, false);
  }

  #settle(key: string, result: ExchangeResult, isRenewal: boolean): ExchangedCredential {
    const now = this.#now();
    if (!result.ok) {
      const { failure } = result;
      // A user who signs in again must not wait.
      if (failure.code !== 'exchange.id-token')
        this.#failures.set(key, { failure, until: now + FAILURE_MS });
      return result;
    }
    const { token, expiresAt } = result.value;
    const credential = createBearerCredential(token);
    const lifetime = expiresAt - now;
    this.#failures.delete(key);
    this.#entries.set(key, {
      credential,
      isRenewal,
      obtainedAt: now,
      refreshAt: expiresAt - Math.min(REFRESH_MS, lifetime / 2),
      endsAt: expiresAt - Math.min(EARLY_MS, lifetime / 2),
    });
    return { ok: true, credential };
  }
}

interface ExchangeStrategyDependencies extends ExchangeDependencies {
  readonly idTokens: IdTokenSource | undefined;
  readonly observe: ServerSignInObserver;
}

interface ExchangeTarget {
  readonly exchange: EnabledTokenExchange;
  readonly requiredAudiences: readonly string[];
  /** Distinguishes tokens: equal for servers whose settings are equal. */
  readonly key: string;
}

const formatKey = (
  exchange: EnabledTokenExchange,
  requiredAudiences: readonly string[],
): string => {
  const { dexTokenEndpoint, connectorId, scopes, clientCredentialsSecretRef: ref } = exchange;
  const client = ref && [ref.namespace, ref.name, ref.clientIdKey, ref.clientSecretKey];
  const issuer = resolveExpectedIssuer(exchange);
  return JSON.stringify([
    dexTokenEndpoint,
    connectorId,
    issuer,
    scopes,
    requiredAudiences,
    client ?? [],
  ]);
};

const createTarget = ({ metadata, spec }: McpServer): ExchangeTarget => {
  const strategy = spec.type === 'stdio' ? undefined : resolveAuthStrategy(spec.auth);
  if (spec.type === 'stdio' || strategy?.kind !== 'tokenExchange')
    throw new Error(`${metadata.name} has no token exchange`);
  const { requiredAudiences } = spec.auth;
  const { tokenExchange: exchange } = strategy;
  return { exchange, requiredAudiences, key: formatKey(exchange, requiredAudiences) };
};

/** A user who has not signed in to the gateway is not a failure of the server. */
const isNotSignedIn = (failure: ExchangeFailure): boolean =>
  failure.code === 'exchange.id-token' && isSignedOut(failure.problem);

const toOutcome = (exchanged: ExchangedCredential): CredentialOutcome =>
  exchanged.ok ? exchanged : exchangeRefusal(exchanged.failure);

/** Exchanges the ID token of a user for a token of the remote identity provider, which stays in memory until it expires. @spec §2.6 tokenExchange; RFC 8693 */
export class ExchangeStrategy implements TokenStrategy {
  readonly #tokens: ExchangedTokens;
  readonly #dependencies: ExchangeStrategyDependencies;
  readonly #targets = new WeakMap<McpServer, ExchangeTarget>();

  constructor(dependencies: ExchangeStrategyDependencies) {
    this.#dependencies = dependencies;
    this.#tokens = new ExchangedTokens(dependencies.now);
  }

  current(server: McpServer, principal: Principal): CredentialOutcome | Promise<CredentialOutcome> {
    const target = this.#createTarget(server);
    const found = this.#tokens.current(target.key + principal.key, () =>
      this.#perform(server, principal),
    );
    return found instanceof Promise ? found.then(toOutcome) : toOutcome(found);
  }

  async renewRejected(
    server: McpServer,
    principal: Principal,
    { status, credential }: Rejection,
  ): Promise<CredentialOutcome> {
    if (status === 403) return this.#refuse(server, { code: 'exchange.scope' });
    const target = this.#createTarget(server);
    const renewed = await this.#tokens.renew(target.key + principal.key, credential, () =>
      this.#perform(server, principal),
    );
    if (!renewed.ok && renewed.failure.code === 'exchange.rejected')
      return this.#refuse(server, renewed.failure);
    return toOutcome(renewed);
  }

  #createTarget(server: McpServer): ExchangeTarget {
    const known = this.#targets.get(server);
    if (known !== undefined) return known;
    const target = createTarget(server);
    this.#targets.set(server, target);
    return target;
  }

  #refuse(server: McpServer, failure: ExchangeFailure): CredentialOutcome {
    this.#report(server, failure);
    return exchangeRefusal(failure);
  }

  #report({ metadata: { name: server } }: McpServer, failure: ExchangeFailure): void {
    const problem = exchangeProblem(failure);
    this.#dependencies.observe({ code: 'exchange-failed', server, problem });
  }

  async #perform(server: McpServer, principal: Principal): Promise<ExchangeResult> {
    const result = await this.#exchange(this.#createTarget(server), principal);
    if (result.ok) this.#dependencies.observe({ code: 'exchanged', server: server.metadata.name });
    else if (!isNotSignedIn(result.failure)) this.#report(server, result.failure);
    return result;
  }

  async #exchange(target: ExchangeTarget, principal: Principal): Promise<ExchangeResult> {
    const { idTokens } = this.#dependencies;
    const found = await findIdToken(idTokens, principal, { audiences: [] });
    return found.ok
      ? exchangeToken(target, found.token, this.#dependencies)
      : { ok: false, failure: { code: 'exchange.id-token', problem: found.problem } };
  }
}
