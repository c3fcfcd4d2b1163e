import { isJsonObject, type JsonObject, type Principal } from '@gateway/call-contract';
import type { GuardedFetch } from '@gateway/guarded-fetch';
import { basicAuthorization } from '@gateway/service-host';
import type { TokenOutcome, TokenVerifier } from '../tokens/token-verifier.ts';
import type { ClaimCheck } from './claims.ts';
import { fetchJson } from './issuer-keys.ts';

/** The dependencies of {@link Introspection}. */
export interface IntrospectionDependencies {
  readonly issuer: string;
  readonly endpoint: string;
  /** The client that the issuer knows the gateway as. */
  readonly client: { readonly id: string; readonly secret: string };
  readonly audiences: readonly string[];
  readonly accepts: ClaimCheck;
  readonly principalOf: (claims: JsonObject) => Principal | undefined;
  readonly fetch: GuardedFetch;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly onFailure?: (error: unknown) => void;
}

/** Milliseconds for which an answer of the issuer is reused: a revoked token is refused after this time at the latest. */
const REUSE_MS = 60_000;

/** Verifies opaque tokens by asking their issuer. RFC 7662 */
export class Introspection implements TokenVerifier {
  readonly #dependencies: IntrospectionDependencies;
  readonly #authorization: string;

  constructor(dependencies: IntrospectionDependencies) {
    const { id, secret } = dependencies.client;
    this.#dependencies = dependencies;
    this.#authorization = basicAuthorization({ clientId: id, clientSecret: secret });
  }

  async verify(token: string): Promise<TokenOutcome> {
    const { fetch, endpoint, onFailure } = this.#dependencies;
    try {
      const answer = await fetchJson(fetch, endpoint, {
        method: 'POST',
        headers: {
          authorization: this.#authorization,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
      });
      return this.#outcomeOf(answer);
    } catch (error) {
      onFailure?.(error);
      return { ok: false, code: 'unavailable' };
    }
  }

  #outcomeOf(answer: JsonObject): TokenOutcome {
    const { issuer, audiences, accepts, principalOf, now } = this.#dependencies;
    const time = now();
    if (answer['active'] !== true) return { ok: false, code: 'inactive' };
    if (answer['iss'] !== undefined && answer['iss'] !== issuer)
      return { ok: false, code: 'unknown-issuer' };
    if (!textsOf(answer['aud']).some((audience) => audiences.includes(audience)))
      return { ok: false, code: 'wrong-audience' };
    const times = timesOf(answer, time);
    if (typeof times === 'string') return { ok: false, code: times };
    if (isJsonObject(answer['cnf'])) return { ok: false, code: 'sender-constrained' };
    const principal = accepts(answer) ? principalOf(answer) : undefined;
    if (principal === undefined) return { ok: false, code: 'wrong-claims' };
    return { ok: true, principal, ...times, reusableUntil: time + REUSE_MS };
  }
}

/** Seconds by which the clocks of an issuer and of this machine may differ. */
const SKEW_SECONDS = 60;

const timesOf = (
  { exp, nbf }: JsonObject,
  now: number,
): { readonly expiresAt: number } | 'expired' | 'not-yet-valid' => {
  if (typeof nbf === 'number' && (nbf - SKEW_SECONDS) * 1_000 > now) return 'not-yet-valid';
  // The issuer vouches for a token without a time of expiry now, not longer.
  if (typeof exp !== 'number') return { expiresAt: now + REUSE_MS };
  const expiresAt = exp * 1_000;
  return expiresAt > now ? { expiresAt } : 'expired';
};

const textsOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
