import type { Principal } from '@gateway/call-contract';
import type { IdTokenSource, WantedIdToken } from '../ports/id-token-source.ts';
import type { IdTokenProblem } from './id-token-refusal.ts';

/** An ID token, or the reason why there is none. */
export type FoundIdToken =
  | { readonly ok: true; readonly token: string; readonly expiresAt: number }
  | { readonly ok: false; readonly problem: IdTokenProblem };

/** Returns the ID token of a person. Never rejects. `source` is absent when callers do not sign in. */
export const findIdToken = async (
  source: IdTokenSource | undefined,
  principal: Principal,
  required: WantedIdToken,
): Promise<FoundIdToken> => {
  if (source === undefined) return { ok: false, problem: { code: 'no-sign-in' } };
  try {
    const outcome = await source.idToken(principal, required);
    if (outcome.ok) return outcome;
    const { ok: _, ...problem } = outcome;
    return { ok: false, problem };
  } catch {
    return { ok: false, problem: { code: 'unavailable' } };
  }
};
