import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;

/**
 * One key of 32 bytes, and what is derived from it. The keys of every operation are key objects: Node 24 takes about 8 µs to import the bytes
 * of a key, which an HMAC and a cipher of raw bytes do each time.
 */
export interface StateEncryptionKey {
  /** Names the key in each value that it encrypts; not secret. */
  readonly id: string;
  /** Key of AES-256-GCM. */
  readonly values: KeyObject;
  /** Key of the HMAC of names. */
  readonly names: KeyObject;
  /** Key that signs ids of sessions, so that processes with one state key accept each other's. */
  readonly sessionIds: Buffer;
}

/** The keys of an encrypted store. */
export interface StateEncryptionKeys {
  readonly current: StateEncryptionKey;
  /** Decrypts only. While a key is replaced, all processes have both keys. */
  readonly previous?: StateEncryptionKey;
}

/** A key, or the sentence that says why the text is not one. It never repeats the text. */
export type ParsedStateKey =
  | { readonly ok: true; readonly key: StateEncryptionKey }
  | { readonly ok: false; readonly problem: string };

const HEXADECIMAL = /^[0-9a-f]{64}$/i;
const BASE64 = /^[\w+/-]{43}=?$/;

const bytesOf = (text: string): Buffer | undefined => {
  if (HEXADECIMAL.test(text)) return Buffer.from(text, 'hex');
  const bytes = BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
  return bytes?.length === KEY_BYTES ? bytes : undefined;
};

const derive = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `gateway state ${purpose}`, KEY_BYTES));

const encryptionKey = (key: Buffer): StateEncryptionKey => ({
  id: createHash('sha256').update(derive(key, 'id')).digest('base64url').slice(0, 8),
  values: createSecretKey(derive(key, 'values')),
  names: createSecretKey(derive(key, 'names')),
  sessionIds: derive(key, 'session ids'),
});

/**
 * Parses a key of 32 bytes, written in base64, base64url or hexadecimal digits; spaces around it are ignored.
 * @param source names the place of the text in the problem, for example `GATEWAY_STATE_KEY`
 */
export const parseStateKey = (text: string, source: string): ParsedStateKey => {
  const bytes = bytesOf(text.trim());
  if (bytes !== undefined) return { ok: true, key: encryptionKey(bytes) };
  return {
    ok: false,
    problem: `${source}: the state key must be 32 random bytes in base64 or hexadecimal digits, for example of "openssl rand -base64 32"`,
  };
};
