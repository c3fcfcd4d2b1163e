import { isJsonObject, type JsonObject, type Principal } from '@gateway/call-contract';
import type { GuardedFetch } from '@gateway/guarded-fetch';
import { formatBasicAuthorization } from '@gateway/service-host';
import type { TokenOutcome, TokenRefusalCode, TokenVerifier } from '../auth-backend.ts';
import type { ClaimCheck } from './claims.ts';
import { fetchJson, IssuerUnavailable, type KeySet } from './issuer-keys.ts';
import { type CryptoKey, errors, type JWTPayload, jwtVerify, type JWTVerifyOptions } from 'jose';

/** The rules for the tokens of one issuer. */
export interface TokenRules {
  readonly issuer: string;
  /** A token must name one of them. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  /** Accepted values of `typ`; an empty text: a token without one. */
  readonly types: readonly string[];
  readonly accepts: ClaimCheck;
  readonly toPrincipal: (claims: JsonObject) => Principal | undefined;
}

/** The endpoint at which an issuer is asked about tokens, and the client that it knows the gateway as. */
interface IntrospectionEndpoint {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: GuardedFetch;
}

/** Milliseconds for which an answer of the issuer is reused: a revoked token is refused after this time at the latest. */
const REUSE_MS = 60_000;

/** Verifies opaque tokens by asking their issuer. RFC 7662 */
export class Introspection implements TokenVerifier {
  readonly #rules: TokenRules;
  readonly #endpoint: IntrospectionEndpoint;
  readonly #now: () => number;
  readonly #onFailure: (error: unknown) => void;

  constructor(
    rules: TokenRules,
    endpoint: IntrospectionEndpoint,
    now: () => number,
    onFailure: (error: unknown) => void,
  ) {
    this.#rules = rules;
    this.#endpoint = endpoint;
    this.#now = now;
    this.#onFailure = onFailure;
  }

  async verify(token: string): Promise<TokenOutcome> {
    try {
      const answer = await fetchJson(this.#endpoint.fetch, this.#endpoint.url, {
        method: 'POST',
        headers: {
          authorization: formatBasicAuthorization(this.#endpoint),
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ token, token_type_hint: 'access_token' }).toString(),
      });
      return this.#toOutcome(answer);
    } catch (error) {
      this.#onFailure(error);
      return { ok: false, code: 'unavailable' };
    }
  }

  #toOutcome(answer: JsonObject): TokenOutcome {
    const { issuer, audiences, accepts, toPrincipal } = this.#rules;
    const time = this.#now();
    if (answer['active'] !== true) return { ok: false, code: 'inactive' };
    if (answer['iss'] !== undefined && answer['iss'] !== issuer)
      return { ok: false, code: 'unknown-issuer' };
    if (!readTexts(answer['aud']).some((audience) => audiences.includes(audience)))
      return { ok: false, code: 'wrong-audience' };
    const times = readTimes(answer, time);
    if (typeof times === 'string') return { ok: false, code: times };
    if (isJsonObject(answer['cnf'])) return { ok: false, code: 'sender-constrained' };
    const principal = accepts(answer) ? toPrincipal(answer) : undefined;
    if (principal === undefined) return { ok: false, code: 'wrong-claims' };
    return { ok: true, principal, ...times, reusableUntil: time + REUSE_MS };
  }
}

/** Seconds by which the clocks of an issuer and of this machine may differ. */
const SKEW_SECONDS = 60;

const readTimes = (
  { exp, nbf }: JsonObject,
  now: number,
): { readonly expiresAt: number } | 'expired' | 'not-yet-valid' => {
  if (typeof nbf === 'number' && (nbf - SKEW_SECONDS) * 1_000 > now) return 'not-yet-valid';
  // The issuer vouches for a token without a time of expiry now, not longer.
  if (typeof exp !== 'number') return { expiresAt: now + REUSE_MS };
  const expiresAt = exp * 1_000;
  return expiresAt > now ? { expiresAt } : 'expired';
};

const readTexts = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

/** The parts of a JSON Web Token that is not verified yet: nothing may be decided by them but which issuer verifies it. */
export interface UnverifiedJwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** Parses a token in the compact form of JWS (RFC 7515 §7.1); returns `undefined` for any other token. */
export const parseUnverifiedJwt = (token: string): UnverifiedJwt | undefined => {
  const parts = token.split('.', 4);
  if (parts.length !== 3 || token.endsWith('.')) return undefined;
  const header = parseObject(parts[0]);
  const claims = header === undefined ? undefined : parseObject(parts[1]);
  return header === undefined || claims === undefined ? undefined : { header, claims };
};

const parseObject = (part = ''): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Keys that are tried for a token that names none. */
const MAX_TRIED_KEYS = 8;

/** Verifies the JSON Web Tokens of one issuer. RFC 7519, RFC 8725, RFC 9068 */
export class JwtVerifier {
  readonly #rules: TokenRules;
  readonly #keys: Pick<KeySet, 'findKey'>;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since the epoch */
  constructor(rules: TokenRules, keys: Pick<KeySet, 'findKey'>, now: () => number) {
    this.#rules = rules;
    this.#keys = keys;
    this.#now = now;
  }

  /** Verifies a token; never rejects. `unverified` are the parts of the same token. */
  async verify(token: string, { header }: UnverifiedJwt): Promise<TokenOutcome> {
    const code = this.#refuseHeader(header);
    if (code !== undefined) return { ok: false, code };
    try {
      return this.#accept(await this.#verifyClaims(token));
    } catch (error) {
      return { ok: false, code: toRefusalCode(error) };
    }
  }

  /** Keys and URLs in the header (`jwk`, `jku`, `x5u`, `x5c`) are never read. */
  #refuseHeader(header: JsonObject): TokenRefusalCode | undefined {
    const { algorithms, types } = this.#rules;
    const { alg, typ } = header;
    if (typeof alg !== 'string' || !algorithms.includes(alg)) return 'wrong-algorithm';
    if (typ !== undefined && typeof typ !== 'string') return 'wrong-type';
    return types.map(toMediaType).includes(toMediaType(typ ?? '')) ? undefined : 'wrong-type';
  }

  async #verifyClaims(token: string): Promise<JWTPayload> {
    const { issuer, audiences, algorithms } = this.#rules;
    const options: JWTVerifyOptions = {
      issuer,
      audience: [...audiences],
      algorithms: [...algorithms],
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(this.#now()),
      requiredClaims: ['exp'],
    };
    try {
      return (await jwtVerify(token, this.#keys.findKey, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      return verifyWithAny(token, error, options);
    }
  }

  #accept(claims: JWTPayload): TokenOutcome {
    const { exp = 0 } = claims;
    if (isFromFuture(claims, this.#now())) return { ok: false, code: 'not-yet-valid' };
    if (Object.hasOwn(claims, 'cnf')) return { ok: false, code: 'sender-constrained' };
    if (!this.#rules.accepts(claims)) return { ok: false, code: 'wrong-claims' };
    const principal = this.#rules.toPrincipal(claims);
    if (principal === undefined) return { ok: false, code: 'wrong-claims' };
    return { ok: true, principal, expiresAt: (exp + SKEW_SECONDS) * 1_000 };
  }
}

/** Returns whether a token was issued later than now, beyond the difference of clocks. @param now in milliseconds since the epoch */
export const isFromFuture = ({ iat }: Pick<JWTPayload, 'iat'>, now: number): boolean =>
  iat !== undefined && (iat - SKEW_SECONDS) * 1_000 > now;

/** Media types compare without case, and `application/` may be omitted. RFC 7515 §4.1.9 */
const toMediaType = (typ: string): string => typ.toLowerCase().replace(/^application\//, '');

const verifyWithAny = async (
  token: string,
  keys: AsyncIterable<CryptoKey>,
  options: JWTVerifyOptions,
): Promise<JWTPayload> => {
  let tried = 0;
  for await (const key of keys) {
    tried += 1;
    if (tried > MAX_TRIED_KEYS) break;
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
};

const OF_CLAIM: Readonly<Record<string, TokenRefusalCode>> = {
  iss: 'unknown-issuer',
  aud: 'wrong-audience',
  nbf: 'not-yet-valid',
};

const toRefusalCode = (error: unknown): TokenRefusalCode => {
  if (error instanceof IssuerUnavailable) return 'unavailable';
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed)
    return Object.hasOwn(OF_CLAIM, error.claim)
      ? (OF_CLAIM[error.claim] ?? 'wrong-claims')
      : 'wrong-claims';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'wrong-algorithm';
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return 'malformed';
  // No matching key, a key that does not fit the algorithm, an unknown critical member: nothing vouches for the token.
  return 'wrong-signature';
};
