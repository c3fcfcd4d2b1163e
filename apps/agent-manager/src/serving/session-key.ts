import { createHash } from 'node:crypto';
import { ENVIRONMENT } from '../cli/environment.ts';

const MIN_CHARACTERS = 32;

/** The key that signs session ids, none where the process makes its own, or why the given secret cannot be used. */
export type SessionKey =
  | { readonly ok: true; readonly key: Uint8Array | undefined }
  | { readonly ok: false; readonly problem: string };

/** Reads the key from the environment. The secret is never repeated in a text. */
export function readSessionKey(
  environment: Readonly<Record<string, string | undefined>>,
): SessionKey {
  const secret = environment[ENVIRONMENT.sessionKey];
  if (!secret) return { ok: true, key: undefined };
  if (secret.length < MIN_CHARACTERS)
    return {
      ok: false,
      problem: `${ENVIRONMENT.sessionKey} must have at least ${MIN_CHARACTERS.toString()} characters`,
    };
  return { ok: true, key: createHash('sha256').update(secret).digest() };
}
