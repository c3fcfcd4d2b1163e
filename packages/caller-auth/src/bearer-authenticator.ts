import type { AuthenticationOutcome } from '@gateway/call-contract';
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import {
  findRefusalAnswer,
  mayRead,
  type TokenOutcome,
  type TokenRefusalCode,
  type TokenVerification,
  type TokenVerifier,
} from './auth-backend.ts';

/** The token of a request, or the reason why there is none. */
type BearerToken =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly code: TokenRefusalCode };

/** The maximum length of a token, in characters. */
const MAX_TOKEN_CHARS = 16 * 1024;

const AUTHORIZATION_HEADER = 'authorization';
const SCHEME = /^bearer +/i;
const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;
const QUERY_TOKEN = /[?&]access_token=/i;

const createBearerRefusal = (code: TokenRefusalCode): BearerToken => ({ ok: false, code });

/**
 * Returns the token of a request. Node drops repeated `Authorization` lines from `headers`, so this reads the raw lines. RFC 6750 §2.1;
 * tokens in the URL (§2.3) are refused, since URLs are logged. {@link isWellFormed} checks the characters, once per token.
 */
const parseBearerToken = ({
  rawHeaders,
  url = '',
}: Pick<IncomingMessage, 'rawHeaders' | 'url'>): BearerToken => {
  if (url.includes('?') && QUERY_TOKEN.test(url)) return createBearerRefusal('ambiguous');
  let value: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (!isAuthorization(rawHeaders[at])) continue;
    if (value !== undefined) return createBearerRefusal('ambiguous');
    value = rawHeaders[at + 1];
  }
  return value === undefined ? createBearerRefusal('missing') : parseBearer(value);
};

const isAuthorization = (name = ''): boolean =>
  name.length === AUTHORIZATION_HEADER.length && name.toLowerCase() === AUTHORIZATION_HEADER;

const parseBearer = (value: string): BearerToken => {
  const [scheme] = SCHEME.exec(value.slice(0, MAX_SCHEME_CHARS)) ?? [];
  // The gateway supports no other scheme.
  if (scheme === undefined) return createBearerRefusal('missing');
  const token = value.slice(scheme.length);
  if (token.length > MAX_TOKEN_CHARS) return createBearerRefusal('too-large');
  return { ok: true, token };
};

/** Returns whether a token has only the characters of RFC 6750 §2.1. */
const isWellFormed = (token: string): boolean => TOKEN.test(token);

/** The maximum length of the scheme with its spaces. */
const MAX_SCHEME_CHARS = 32;

interface Entry<V> {
  readonly value: V;
  readonly until: number;
}

/** A cache by token hash (SHA-256), bounded in size and time. */
class TokenCache<V extends object> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since the epoch */
  constructor(max: number, now: () => number) {
    this.#entries = new LRUCache({ max });
    this.#now = now;
  }

  /** Returns the value of a token by its hash, see {@link hashToken}. */
  get(hash: string): V | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined) return undefined;
    if (entry.until > this.#now()) return entry.value;
    this.#entries.delete(hash);
    return undefined;
  }

  /** Stores a value until a time in milliseconds since the epoch. */
  set(hash: string, value: V, until: number): void {
    if (until > this.#now()) this.#entries.set(hash, { value, until });
  }
}

/** Returns the hash under which a token is stored. */
const hashToken = (token: string): string => hash('sha256', token, 'base64');

interface BearerAuthenticatorDependencies {
  readonly verifier: TokenVerifier;
  /** Returns the value of `WWW-Authenticate` for an error of RFC 6750; without an error for a request without a token. */
  readonly challenge: (error: string | undefined) => string;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Called after each verification of a token that was not cached. */
  readonly onVerified?: (verification: TokenVerification) => void;
  readonly limits?: Partial<AuthenticatorLimits>;
}

interface AuthenticatorLimits {
  /** Maximum number of cached accepted tokens. */
  readonly maxTokens: number;
  /** Maximum number of cached refused tokens. A separate cache, so that a flood of them evicts no accepted token. */
  readonly maxRefusedTokens: number;
  /** How long a refused token is cached, in milliseconds. */
  readonly refusedMs: number;
  /** Maximum number of concurrent verifications. */
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
  readonly #accepted: TokenCache<AuthenticationOutcome>;
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
   * Returns the principal of a request or its refusal; never rejects. Calls `mayVerify` before it verifies an unknown token, and refuses the token
   * when it returns `false`.
   */
  readonly authenticate = (
    request: Pick<IncomingMessage, 'rawHeaders' | 'url'>,
    mayVerify?: () => boolean,
  ): AuthenticationOutcome | Promise<AuthenticationOutcome> => {
    const bearer = parseBearerToken(request);
    if (!bearer.ok) return this.#refuse(bearer.code);
    const hash = hashToken(bearer.token);
    const accepted = this.#accepted.get(hash);
    if (accepted !== undefined) return accepted;
    const refused = this.#refused.get(hash);
    if (refused !== undefined) return this.#refuse(refused.code);
    if (!isWellFormed(bearer.token)) return this.#refuse('malformed');
    if (mayVerify?.() === false) return this.#refuse('unavailable');
    return this.#verify(bearer.token, hash);
  };

  async #verify(token: string, hash: string): Promise<AuthenticationOutcome> {
    const outcome = await this.#joinVerification(token, hash);
    if (!outcome.ok) return this.#refuse(outcome.code);
    const { principal, expiresAt } = outcome;
    return { ok: true, principal, expiresAt };
  }

  #joinVerification(token: string, hash: string): Promise<TokenOutcome> {
    const pending = this.#pending.get(hash);
    if (pending !== undefined) return pending;
    if (this.#pending.size >= this.#limits.maxVerifications) {
      return Promise.resolve({ ok: false, code: 'unavailable' });
    }
    const verification = this.#verifyOnce(token, hash).finally(() => this.#pending.delete(hash));
    this.#pending.set(hash, verification);
    return verification;
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
      const accepted: AuthenticationOutcome = { ok: true, principal, expiresAt };
      this.#accepted.set(hash, accepted, Math.min(expiresAt, reusableUntil));
    } else if (outcome.code !== 'unavailable') {
      this.#refused.set(hash, outcome, this.#dependencies.now() + this.#limits.refusedMs);
    }
    return outcome;
  }

  #refuse(code: TokenRefusalCode): AuthenticationOutcome {
    const { status, error, sentence } = findRefusalAnswer(code);
    const answer = { ok: false, status, reason: code, sentence } as const;
    return status === 503 ? answer : { ...answer, challenge: this.#dependencies.challenge(error) };
  }
}
