import type { Principal } from '@gateway/call-contract';

/** Scope of everything but core tools that write. */
export const READ_SCOPE = 'mcp:read';

/** Scope of core tools that write, and of the workflow runs of other persons. It includes {@link READ_SCOPE}. */
export const ADMIN_SCOPE = 'mcp:admin';

/** The scopes that the gateway defines. */
export const GATEWAY_SCOPES = [READ_SCOPE, ADMIN_SCOPE] as const;

/** A scope that the gateway defines. */
export type GatewayScope = (typeof GATEWAY_SCOPES)[number];

/** Returns whether the credentials of a person permit anything at all. */
export const mayRead = ({ scopes = [] }: Principal): boolean =>
  scopes.includes(READ_SCOPE) || scopes.includes(ADMIN_SCOPE);

/** Returns whether a person has the scope of administrators, or is a member of a group of administrators. */
export const isAdministrator = (
  { scopes = [], groups = [] }: Principal,
  adminGroups: readonly string[],
): boolean => scopes.includes(ADMIN_SCOPE) || adminGroups.some((group) => groups.includes(group));

/** Why a request with or without a token is refused. Bounded, and without any part of the token: it is a label of metrics. */
export type TokenRefusalCode =
  /** The request carries no token. */
  | 'missing'
  /** More than one `Authorization` header, or a token in the URL. */
  | 'ambiguous'
  | 'malformed'
  | 'too-large'
  | 'unknown-issuer'
  | 'wrong-type'
  | 'wrong-algorithm'
  | 'wrong-signature'
  | 'expired'
  | 'not-yet-valid'
  | 'wrong-audience'
  | 'wrong-claims'
  /** The issuer states that the token is not active. */
  | 'inactive'
  /** The token may be used only by the holder of a key. */
  | 'sender-constrained'
  /** The token does not permit anything here. */
  | 'insufficient-scope'
  /** The issuer does not answer, or too many tokens are being verified. */
  | 'unavailable';

/** The answer to a refused request. RFC 6750 §3 */
interface TokenRefusalAnswer {
  readonly status: 400 | 401 | 403 | 503;
  /** The parameter `error` of the challenge; absent: the challenge has none, or there is no challenge (503). */
  readonly error?: 'invalid_request' | 'invalid_token' | 'insufficient_scope';
  readonly sentence: string;
}

const invalid = (sentence: string): TokenRefusalAnswer => ({
  status: 401,
  error: 'invalid_token',
  sentence: `The access token is refused: ${sentence}; sign in again`,
});

const ANSWERS: Readonly<Record<TokenRefusalCode, TokenRefusalAnswer>> = {
  missing: { status: 401, sentence: 'Sign in first: the request carries no access token' },
  ambiguous: {
    status: 400,
    error: 'invalid_request',
    sentence: 'Send one access token, in one Authorization header and not in the URL',
  },
  malformed: invalid('it cannot be read'),
  'too-large': invalid('it is too large'),
  'unknown-issuer': invalid('its issuer is not trusted here'),
  'wrong-type': invalid('its type is not accepted here'),
  'wrong-algorithm': invalid('its algorithm is not accepted here'),
  'wrong-signature': invalid('its signature does not match'),
  expired: invalid('it has expired'),
  'not-yet-valid': invalid('it is not valid yet'),
  'wrong-audience': invalid('it was issued for another service'),
  'wrong-claims': invalid('its claims are not accepted here'),
  inactive: invalid('its issuer no longer accepts it'),
  'sender-constrained': invalid('it is bound to a key, which is not supported here'),
  'insufficient-scope': {
    status: 403,
    error: 'insufficient_scope',
    sentence: 'The access token lacks the scope mcp:read',
  },
  unavailable: {
    status: 503,
    sentence:
      'The access token cannot be verified now because its issuer does not answer; retry later',
  },
};

/** Returns the answer to a request that is refused. */
export const tokenRefusalAnswer = (code: TokenRefusalCode): TokenRefusalAnswer => ANSWERS[code];

/** A valid token. */
interface VerifiedToken {
  readonly ok: true;
  /** The person, with the scopes that the token grants at the gateway. */
  readonly principal: Principal;
  /** Time from which the token is refused, in milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Time until which this result may be reused, in milliseconds since the epoch; default: `expiresAt`. */
  readonly reusableUntil?: number;
}

/** The result of verifying a token. */
export type TokenOutcome = VerifiedToken | { readonly ok: false; readonly code: TokenRefusalCode };

/** Verifies bearer tokens of one kind. */
export interface TokenVerifier {
  /** Verifies a token: at most 16 KiB of the characters that RFC 6750 §2.1 permits. Never rejects. */
  verify(token: string): Promise<TokenOutcome>;
}
