import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { StateEncryptionKey, StateEncryptionKeys } from './state-keys.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/**
 * Encrypts a value with AES-256-GCM and a random nonce. The result names the key; it can be decrypted only under the same context.
 * @param context text that is authenticated and not stored: the name of the entry
 */
export const sealValue = (value: string, context: string, key: StateEncryptionKey): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.values, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const sealed = Buffer.concat([
    nonce,
    cipher.update(value, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return `${VERSION}.${key.id}.${sealed.toString('base64url')}`;
};

const keyOf = (id: string, keys: StateEncryptionKeys): StateEncryptionKey | undefined =>
  [keys.current, keys.previous].find((key) => key?.id === id);

const decrypt = (sealed: Buffer, context: string, key: StateEncryptionKey): string => {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(sealed.length - TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key.values, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(tag);
  const text = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
};

/** Returns the value of a sealed text, or undefined when it was changed, has another context, or names no known key. */
export const openValue = (
  text: string,
  context: string,
  keys: StateEncryptionKeys,
): string | undefined => {
  const [version, id, sealed, ...rest] = text.split('.');
  if (version !== VERSION || id === undefined || sealed === undefined || rest.length > 0) {
    return undefined;
  }
  const key = keyOf(id, keys);
  const bytes = Buffer.from(sealed, 'base64url');
  if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    return decrypt(bytes, context, key);
  } catch {
    return undefined;
  }
};
