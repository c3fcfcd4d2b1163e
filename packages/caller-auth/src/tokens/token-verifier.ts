import type { Principal } from '@gateway/call-contract';
import type { TokenRefusalCode } from './token-refusal.ts';

/** A valid token. */
export interface VerifiedToken {
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
