import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PendingSignIn } from './sessions.ts';

const CIPHER = 'aes-256-gcm';
const [SALT_BYTES, KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [16, 32, 12, 16];
const LABEL = 'sign-in of the portal';
/** More than the longest record: the address of a page is bounded. */
const MAX_BYTES = 64 * 1_024;

/** A sign-in that waits, and its start in milliseconds since the epoch. */
export interface StartedSignIn extends PendingSignIn {
  readonly startedAt: number;
}

/** Anybody can start any number of sign-ins: each has a key and a nonce of its own, derived from a random salt. RFC 5869 */
const deriveKeys = (key: Uint8Array, salt: Uint8Array) => {
  const derived = Buffer.from(hkdfSync('sha256', key, salt, LABEL, KEY_BYTES + NONCE_BYTES));
  return [derived.subarray(0, KEY_BYTES), derived.subarray(KEY_BYTES)] as const;
};

/** Compresses and encrypts a sign-in with AES-256-GCM. @param context text that is authenticated and not stored: the name of the cookie */
export const sealSignIn = (started: StartedSignIn, context: string, key: Uint8Array): string => {
  const salt = randomBytes(SALT_BYTES);
  const [secret, nonce] = deriveKeys(key, salt);
  const cipher = createCipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const text = deflateRawSync(JSON.stringify(started));
  return Buffer.concat([salt, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
};

/** Returns a sealed sign-in; undefined when it was changed, or has another context or key. */
export const openSignIn = (
  sealed: string,
  context: string,
  key: Uint8Array,
): StartedSignIn | undefined => {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < SALT_BYTES + TAG_BYTES) return undefined;
  const [secret, nonce] = deriveKeys(key, bytes.subarray(0, SALT_BYTES));
  const decipher = createDecipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES));
    const record = inflateRawSync(Buffer.concat([text, decipher.final()]), {
      maxOutputLength: MAX_BYTES,
    });
    // The tag says that this portal wrote it.
    return JSON.parse(record.toString()) as StartedSignIn;
  } catch {
    return undefined;
  }
};
