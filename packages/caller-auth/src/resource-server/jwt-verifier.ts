import { isJsonObject, type JsonObject, type Principal } from '@gateway/call-contract';
import { type CryptoKey, errors, type JWTPayload, jwtVerify, type JWTVerifyOptions } from 'jose';
import type { TokenOutcome, TokenRefusalCode } from '../tokens/token-verifier.ts';
import type { ClaimCheck } from './claims.ts';
import { IssuerUnavailable, type KeySet } from './issuer-keys.ts';

/** The parts of a JSON Web Token that is not verified yet: nothing may be decided by them but which issuer verifies it. */
export interface UnverifiedJwt {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** Parses a token in the compact form of JWS (RFC 7515 §7.1); returns `undefined` for any other token. */
export const parseUnverifiedJwt = (token: string): UnverifiedJwt | undefined => {
  const parts = token.split('.', 4);
  if (parts.length !== 3 || token.endsWith('.')) return undefined;
  const header = objectOf(parts[0]);
  const claims = header === undefined ? undefined : objectOf(parts[1]);
  return header === undefined || claims === undefined ? undefined : { header, claims };
};

const objectOf = (part = ''): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** The rules for the tokens of one issuer. */
interface JwtRules {
  readonly issuer: string;
  /** A token must name one of them. */
  readonly audiences: readonly string[];
  readonly algorithms: readonly string[];
  /** Accepted values of `typ`; an empty text: a token without one. */
  readonly types: readonly string[];
  readonly accepts: ClaimCheck;
  readonly principalOf: (claims: JsonObject) => Principal | undefined;
}

/** The dependencies of {@link JwtVerifier}. */
interface JwtVerifierDependencies {
  readonly rules: JwtRules;
  readonly keys: Pick<KeySet, 'keyOf'>;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Seconds by which the clocks of an issuer and of this machine may differ. */
const SKEW_SECONDS = 60;

/** Keys that are tried for a token that names none. */
const MAX_TRIED_KEYS = 8;

/** Verifies the JSON Web Tokens of one issuer. RFC 7519, RFC 8725, RFC 9068 */
export class JwtVerifier {
  readonly #dependencies: JwtVerifierDependencies;

  constructor(dependencies: JwtVerifierDependencies) {
    this.#dependencies = dependencies;
  }

  /** Verifies a token; never rejects. `unverified` are the parts of the same token. */
  async verify(token: string, { header }: UnverifiedJwt): Promise<TokenOutcome> {
    const code = this.#refuseHeader(header);
    if (code !== undefined) return { ok: false, code };
    try {
      return this.#accept(await this.#claimsOf(token));
    } catch (error) {
      return { ok: false, code: codeOf(error) };
    }
  }

  /** Keys and URLs in the header (`jwk`, `jku`, `x5u`, `x5c`) are never read. */
  #refuseHeader(header: JsonObject): TokenRefusalCode | undefined {
    const { algorithms, types } = this.#dependencies.rules;
    const { alg, typ } = header;
    if (typeof alg !== 'string' || !algorithms.includes(alg)) return 'wrong-algorithm';
    if (typ !== undefined && typeof typ !== 'string') return 'wrong-type';
    return types.map(mediaType).includes(mediaType(typ ?? '')) ? undefined : 'wrong-type';
  }

  async #claimsOf(token: string): Promise<JWTPayload> {
    const { rules, keys, now } = this.#dependencies;
    const options: JWTVerifyOptions = {
      issuer: rules.issuer,
      audience: [...rules.audiences],
      algorithms: [...rules.algorithms],
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(now()),
      requiredClaims: ['exp'],
    };
    try {
      return (await jwtVerify(token, keys.keyOf, options)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      return verifyWithAny(token, error, options);
    }
  }

  #accept(claims: JWTPayload): TokenOutcome {
    const { rules, now } = this.#dependencies;
    const { exp = 0 } = claims;
    if (isFromFuture(claims, now())) return { ok: false, code: 'not-yet-valid' };
    if (Object.hasOwn(claims, 'cnf')) return { ok: false, code: 'sender-constrained' };
    if (!rules.accepts(claims)) return { ok: false, code: 'wrong-claims' };
    const principal = rules.principalOf(claims);
    if (principal === undefined) return { ok: false, code: 'wrong-claims' };
    return { ok: true, principal, expiresAt: (exp + SKEW_SECONDS) * 1_000 };
  }
}

/** Returns whether a token was issued later than now, beyond the difference of clocks. @param now in milliseconds since the epoch */
export const isFromFuture = ({ iat }: Pick<JWTPayload, 'iat'>, now: number): boolean =>
  iat !== undefined && (iat - SKEW_SECONDS) * 1_000 > now;

/** Media types compare without case, and `application/` may be omitted. RFC 7515 §4.1.9 */
const mediaType = (typ: string): string => typ.toLowerCase().replace(/^application\//, '');

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

const codeOf = (error: unknown): TokenRefusalCode => {
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
