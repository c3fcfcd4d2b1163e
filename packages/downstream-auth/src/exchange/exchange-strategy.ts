import type { Principal } from '@gateway/call-contract';
import {
  authStrategyOf,
  expectedIssuerOf,
  type EnabledTokenExchange,
  type McpServer,
} from '@gateway/crd-schemas';
import type { CredentialOutcome, Rejection } from '../ports/credentials.ts';
import type { IdTokenSource } from '../ports/id-token-source.ts';
import type { ServerSignInObserver } from '../ports/sign-in-fact.ts';
import type { TokenStrategy } from '../ports/token-strategy.ts';
import { isSignedOut } from '../id-tokens/id-token-refusal.ts';
import { findIdToken } from '../id-tokens/find-id-token.ts';
import { exchangeProblem, exchangeRefusal, type ExchangeFailure } from './exchange-failure.ts';
import type { ExchangeResult } from './exchange-response.ts';
import { exchangeToken, type ExchangeDependencies } from './exchange-token.ts';
import { ExchangedTokens, type ExchangedCredential } from './exchanged-tokens.ts';

/** Clock, endpoint, secrets and ID tokens. */
export interface ExchangeStrategyDependencies extends ExchangeDependencies {
  /** Absent when callers do not sign in. */
  readonly idTokens: IdTokenSource | undefined;
  readonly observe: ServerSignInObserver;
}

interface ExchangeTarget {
  readonly exchange: EnabledTokenExchange;
  readonly requiredAudiences: readonly string[];
  /** Distinguishes tokens: equal for servers whose settings are equal. */
  readonly key: string;
}

const keyOf = (exchange: EnabledTokenExchange, requiredAudiences: readonly string[]): string => {
  const { dexTokenEndpoint, connectorId, scopes, clientCredentialsSecretRef: ref } = exchange;
  const client = ref && [ref.namespace, ref.name, ref.clientIdKey, ref.clientSecretKey];
  const issuer = expectedIssuerOf(exchange);
  return JSON.stringify([
    ...[dexTokenEndpoint, connectorId, issuer, scopes],
    ...[requiredAudiences, client ?? []],
  ]);
};

const targetOf = ({ metadata, spec }: McpServer): ExchangeTarget => {
  const strategy = spec.type === 'stdio' ? undefined : authStrategyOf(spec.auth);
  if (spec.type === 'stdio' || strategy?.kind !== 'tokenExchange')
    throw new Error(`${metadata.name} has no token exchange`);
  const { requiredAudiences } = spec.auth;
  const { tokenExchange: exchange } = strategy;
  return { exchange, requiredAudiences, key: keyOf(exchange, requiredAudiences) };
};

/** A person who has not signed in to the gateway is not a failure of the server. */
const isNotSignedIn = (failure: ExchangeFailure): boolean =>
  failure.code === 'exchange.id-token' && isSignedOut(failure.problem);

const outcomeOf = (exchanged: ExchangedCredential): CredentialOutcome =>
  exchanged.ok ? exchanged : exchangeRefusal(exchanged.failure);

class ExchangeStrategy implements TokenStrategy {
  readonly #tokens: ExchangedTokens;
  readonly #dependencies: ExchangeStrategyDependencies;
  readonly #targets = new WeakMap<McpServer, ExchangeTarget>();

  constructor(dependencies: ExchangeStrategyDependencies) {
    this.#dependencies = dependencies;
    this.#tokens = new ExchangedTokens(dependencies.now);
  }

  current(server: McpServer, principal: Principal): CredentialOutcome | Promise<CredentialOutcome> {
    const target = this.#targetOf(server);
    const found = this.#tokens.current(target.key + principal.key, () =>
      this.#perform(server, principal),
    );
    return found instanceof Promise ? found.then(outcomeOf) : outcomeOf(found);
  }

  async rejected(
    server: McpServer,
    principal: Principal,
    { status, credential }: Rejection,
  ): Promise<CredentialOutcome> {
    if (status === 403) return this.#refuse(server, { code: 'exchange.scope' });
    const target = this.#targetOf(server);
    const renewed = await this.#tokens.renew(target.key + principal.key, credential, () =>
      this.#perform(server, principal),
    );
    if (!renewed.ok && renewed.failure.code === 'exchange.rejected')
      return this.#refuse(server, renewed.failure);
    return outcomeOf(renewed);
  }

  #targetOf(server: McpServer): ExchangeTarget {
    const known = this.#targets.get(server);
    if (known !== undefined) return known;
    const target = targetOf(server);
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
    const result = await this.#exchange(this.#targetOf(server), principal);
    if (result.ok) this.#dependencies.observe({ code: 'exchanged', server: server.metadata.name });
    else if (!isNotSignedIn(result.failure)) this.#report(server, result.failure);
    return result;
  }

  async #exchange(target: ExchangeTarget, principal: Principal): Promise<ExchangeResult> {
    const { idTokens } = this.#dependencies;
    const found = await findIdToken(idTokens, principal, { audiences: [] });
    return found.ok
      ? exchangeToken({ ...target, subjectToken: found.token }, this.#dependencies)
      : { ok: false, failure: { code: 'exchange.id-token', problem: found.problem } };
  }
}

/**
 * Creates the strategy of servers with `tokenExchange`: exchanges the ID token of a person for a token of the remote identity provider,
 * and stores it in memory until it expires. @spec §2.6 tokenExchange; RFC 8693
 */
export const createExchangeStrategy = (dependencies: ExchangeStrategyDependencies): TokenStrategy =>
  new ExchangeStrategy(dependencies);
