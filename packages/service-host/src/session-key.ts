import { createHash } from 'node:crypto';

const MIN_CHARACTERS = 32;

/** The key that signs session ids, `undefined` where each process creates its own, or the reason why the secret is refused. */
export type SessionKey =
  | { readonly ok: true; readonly key: Uint8Array | undefined }
  | { readonly ok: false; readonly problem: string };

/**
 * Derives the session key from the secret in an environment variable. Replicas with the same secret accept each other's sessions.
 *
 * @param variable name of the environment variable; the problem text names it and never repeats its value
 */
export function readSessionKey(
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
): SessionKey {
  const secret = environment[variable];
  if (!secret) return { ok: true, key: undefined };
  if (secret.length < MIN_CHARACTERS)
    return {
      ok: false,
      problem: `${variable} must have at least ${MIN_CHARACTERS.toString()} characters`,
    };
  return { ok: true, key: createHash('sha256').update(secret).digest() };
}
