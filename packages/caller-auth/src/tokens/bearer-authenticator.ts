import type { IncomingMessage } from 'node:http';
import type { Authenticated } from './authenticated.ts';
import type { TokenVerification } from '../sign-in-fact.ts';
import { bearerTokenOf, isWellFormed } from './bearer-token.ts';
import { mayRead } from './scopes.ts';
import { hashOfToken, TokenCache } from './token-cache.ts';
import { tokenRefusalAnswer, type TokenRefusalCode } from './token-refusal.ts';
import type { TokenOutcome, TokenVerifier } from './token-verifier.ts';

/** The dependencies of {@link BearerAuthenticator}. */
export interface BearerAuthenticatorDependencies {
  readonly verifier: TokenVerifier;
  /** Returns the value of `WWW-Authenticate` for an error of RFC 6750; without an error for a request without a token. */
  readonly challenge: (error: string | undefined) => string;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called after the verification of a token that was not in memory. */
  readonly onVerified?: (verification: TokenVerification) => void;
  readonly limits?: Partial<AuthenticatorLimits>;
}

/** The bounds of a {@link BearerAuthenticator}. */
export interface AuthenticatorLimits {
  /** Accepted tokens that are remembered. */
  readonly maxTokens: number;
  /** Refused tokens that are remembered, apart from the accepted ones so that a flood of them evicts none. */
  readonly maxRefusedTokens: number;
  /** Milliseconds for which a refused token is remembered. */
  readonly refusedMs: number;
  /** Tokens that are being verified at one time. */
  readonly maxVerifications: number;
}

const DEFAULT_LIMITS: AuthenticatorLimits = {
  maxTokens: 20_000,
  maxRefusedTokens: 2_000,
  refusedMs: 5_000,
  maxVerifications: 512,
};

/** Finds the principal of requests by their bearer tokens: synchronously for a token that was verified before. */
export class BearerAuthenticator {
  readonly #dependencies: BearerAuthenticatorDependencies;
  readonly #limits: AuthenticatorLimits;
  readonly #accepted: TokenCache<Authenticated>;
  readonly #refused: TokenCache<{ readonly code: TokenRefusalCode }>;
  readonly #pending = new Map<string, Promise<TokenOutcome>>();

  constructor(dependencies: BearerAuthenticatorDependencies) {
    const { limits, now } = dependencies;
    this.#dependencies = dependencies;
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#accepted = new TokenCache(this.#limits.maxTokens, now);
    this.#refused = new TokenCache(this.#limits.maxRefusedTokens, now);
  }

  /**
   * Returns the principal of a request or its refusal; never rejects. Calls `mayVerify` before it verifies a token that it does not know, and verifies
   * none when that returns `false`.
   */
  readonly authenticate = (
    request: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
    mayVerify?: () => boolean,
  ): Authenticated | Promise<Authenticated> => {
    const bearer = bearerTokenOf(request);
    if (!bearer.ok) return this.#refuse(bearer.code);
    const hash = hashOfToken(bearer.token);
    const accepted = this.#accepted.get(hash);
    if (accepted !== undefined) return accepted;
    const refused = this.#refused.get(hash);
    if (refused !== undefined) return this.#refuse(refused.code);
    if (!isWellFormed(bearer.token)) return this.#refuse('malformed');
    if (mayVerify?.() === false) return this.#refuse('unavailable');
    return this.#verify(bearer.token, hash);
  };

  /** Forgets verified tokens. */
  clear(): void {
    this.#accepted.clear();
    this.#refused.clear();
  }

  async #verify(token: string, hash: string): Promise<Authenticated> {
    const outcome = await this.#outcomeOf(token, hash);
    if (!outcome.ok) return this.#refuse(outcome.code);
    const { principal, expiresAt } = outcome;
    return { ok: true, principal, expiresAt };
  }

  #outcomeOf(token: string, hash: string): Promise<TokenOutcome> {
    const pending = this.#pending.get(hash);
    if (pending !== undefined) return pending;
    if (this.#pending.size >= this.#limits.maxVerifications) {
      return Promise.resolve({ ok: false, code: 'unavailable' });
    }
    const started = this.#verifyOnce(token, hash).finally(() => this.#pending.delete(hash));
    this.#pending.set(hash, started);
    return started;
  }

  async #verifyOnce(token: string, hash: string): Promise<TokenOutcome> {
    const start = performance.now();
    const verified = await this.#dependencies.verifier.verify(token);
    const outcome: TokenOutcome =
      verified.ok && !mayRead(verified.principal)
        ? { ok: false, code: 'insufficient-scope' }
        : verified;
    this.#dependencies.onVerified?.({
      durationMs: performance.now() - start,
      outcome: outcome.ok ? 'ok' : outcome.code,
    });
    if (outcome.ok) {
      const { principal, expiresAt, reusableUntil = expiresAt } = outcome;
      const accepted: Authenticated = { ok: true, principal, expiresAt };
      this.#accepted.set(hash, accepted, Math.min(expiresAt, reusableUntil));
    } else if (outcome.code !== 'unavailable') {
      this.#refused.set(hash, outcome, this.#dependencies.now() + this.#limits.refusedMs);
    }
    return outcome;
  }

  #refuse(code: TokenRefusalCode): Authenticated {
    const { status, error, sentence } = tokenRefusalAnswer(code);
    const answer = { ok: false, status, reason: code, sentence } as const;
    return status === 503 ? answer : { ...answer, challenge: this.#dependencies.challenge(error) };
  }
}
