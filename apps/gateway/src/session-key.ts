import { createHash } from 'node:crypto';

/** Names the environment variable with the secret that replicas share. */
export const SESSION_KEY_VARIABLE = 'GATEWAY_SESSION_KEY';

const MIN_CHARACTERS = 32;

/** The key that signs session ids, none where each process makes its own, or why the given one cannot be used. */
export type SessionKey =
  | { readonly ok: true; readonly key: Uint8Array | undefined }
  | { readonly ok: false; readonly problem: string };

/** Reads the key from the environment. The text is never repeated in a problem. */
export function readSessionKey(environment: NodeJS.ProcessEnv): SessionKey {
  const text = environment[SESSION_KEY_VARIABLE];
  if (!text) return { ok: true, key: undefined };
  if (text.length < MIN_CHARACTERS)
    return {
      ok: false,
      problem: `${SESSION_KEY_VARIABLE} must have at least ${MIN_CHARACTERS.toString()} characters`,
    };
  return { ok: true, key: createHash('sha256').update(text).digest() };
}
