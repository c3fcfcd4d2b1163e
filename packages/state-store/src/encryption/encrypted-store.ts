import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import {
  encodeKey,
  type Lifetime,
  type SetOptions,
  type StateKey,
  type StateStore,
} from '../port/state-store.ts';

const KEY_BYTES = 32;

/**
 * One key of 32 bytes, and what is derived from it. The keys of every operation are key objects: an HMAC and a cipher of raw bytes
 * import the bytes of the key each time.
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
type ParsedStateKey =
  | { readonly ok: true; readonly key: StateEncryptionKey }
  | { readonly ok: false; readonly problem: string };

const HEXADECIMAL = /^[0-9a-f]{64}$/i;
const BASE64 = /^[\w+/-]{43}=?$/;

const decodeKey = (text: string): Buffer | undefined => {
  if (HEXADECIMAL.test(text)) return Buffer.from(text, 'hex');
  const bytes = BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
  return bytes?.length === KEY_BYTES ? bytes : undefined;
};

const derive = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `gateway state ${purpose}`, KEY_BYTES));

const createEncryptionKey = (key: Buffer): StateEncryptionKey => ({
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
  const bytes = decodeKey(text.trim());
  if (bytes !== undefined) return { ok: true, key: createEncryptionKey(bytes) };
  return {
    ok: false,
    problem: `${source}: the state key must be 32 random bytes in base64 or hexadecimal digits, for example of "openssl rand -base64 32"`,
  };
};

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

const findKey = (id: string, keys: StateEncryptionKeys): StateEncryptionKey | undefined =>
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
  const key = findKey(id, keys);
  const bytes = Buffer.from(sealed, 'base64url');
  if (key === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    return decrypt(bytes, context, key);
  } catch {
    return undefined;
  }
};

/** Receives the warnings of an encrypted store: one sentence without keys and values. */
interface EncryptionLog {
  warn(sentence: string): void;
}

const UNREADABLE =
  'The state store has values that the state key of this process cannot decrypt; they are treated as absent, so that people sign in again.';

const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The name of an entry in the inner store: parts of a key become an HMAC, so that no subject stands in a name. */
const maskKey = (key: StateKey, { names }: StateEncryptionKey): StateKey => [
  key[0],
  createHmac('sha256', names).update(encodeKey(key)).digest('base64url'),
];

/**
 * Values are encrypted under the name of their entry. A name is an HMAC under a key that changes with the state key, so that while a
 * key is replaced an entry may have either name: reads try the name of the current key first, and writes remove the other name.
 */
class EncryptedStore implements StateStore {
  readonly #store: StateStore;
  readonly #keys: StateEncryptionKeys;
  readonly #log: EncryptionLog;
  #hasWarned = false;

  constructor(store: StateStore, keys: StateEncryptionKeys, log: EncryptionLog) {
    this.#store = store;
    this.#keys = keys;
    this.#log = log;
  }

  async get(key: StateKey): Promise<string | undefined> {
    for (const name of this.#names(key)) {
      const value = this.#open(await this.#store.get(name), encodeKey(name));
      if (value !== undefined) return value;
    }
    return undefined;
  }

  async set(key: StateKey, value: string, { ttlMs, group }: SetOptions): Promise<void> {
    const name = this.#name(key);
    await this.#store.set(name, this.#seal(value, encodeKey(name)), {
      ttlMs,
      ...(group && { group: this.#name(group) }),
    });
    const previous = this.#previousName(key);
    if (previous !== undefined) await this.#store.delete(previous);
  }

  async add(key: StateKey, value: string, lifetime: Lifetime): Promise<boolean> {
    const name = this.#name(key);
    const sealed = this.#seal(value, encodeKey(name));
    if (!(await this.#store.add(name, sealed, lifetime))) return false;
    const previous = this.#previousName(key);
    if (previous === undefined || (await this.#store.get(previous)) === undefined) return true;
    // Two processes with the keys in opposite order write first and read then: at most one of them succeeds.
    await this.#store.deleteIf(name, sealed);
    return false;
  }

  async replace(key: StateKey, value: string, lifetime: Lifetime): Promise<boolean> {
    for (const name of this.#names(key)) {
      const sealed = this.#seal(value, encodeKey(name));
      if (await this.#store.replace(name, sealed, lifetime)) return true;
    }
    return false;
  }

  async take(key: StateKey): Promise<string | undefined> {
    const name = this.#name(key);
    const value = this.#open(await this.#store.take(name), encodeKey(name));
    const previous = this.#previousName(key);
    if (previous === undefined) return value;
    const other = this.#open(await this.#store.take(previous), encodeKey(previous));
    return value ?? other;
  }

  async delete(key: StateKey): Promise<void> {
    for (const name of this.#names(key)) await this.#store.delete(name);
  }

  async deleteIf(key: StateKey, value: string): Promise<boolean> {
    for (const name of this.#names(key)) {
      const sealed = await this.#store.get(name);
      const stored = this.#open(sealed, encodeKey(name));
      if (sealed === undefined || stored === undefined) continue;
      // No two sealed texts are equal: this deletes exactly the value that was compared.
      return isEqual(stored, value) && (await this.#store.deleteIf(name, sealed));
    }
    return false;
  }

  async deleteGroup(group: StateKey): Promise<void> {
    for (const name of this.#names(group)) await this.#store.deleteGroup(name);
  }

  async publish(channel: string, text: string): Promise<void> {
    await this.#store.publish(channel, this.#seal(text, `channel:${channel}`));
  }

  subscribe(channel: string, listener: (text: string) => void): () => void {
    return this.#store.subscribe(channel, (sealed) => {
      const text = this.#open(sealed, `channel:${channel}`);
      if (text !== undefined) listener(text);
    });
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #name(key: StateKey): StateKey {
    return maskKey(key, this.#keys.current);
  }

  #previousName(key: StateKey): StateKey | undefined {
    return this.#keys.previous && maskKey(key, this.#keys.previous);
  }

  #names(key: StateKey): readonly StateKey[] {
    const previous = this.#previousName(key);
    return previous === undefined ? [this.#name(key)] : [this.#name(key), previous];
  }

  #seal(value: string, context: string): string {
    return sealValue(value, context, this.#keys.current);
  }

  #open(sealed: string | undefined, context: string): string | undefined {
    if (sealed === undefined) return undefined;
    const value = openValue(sealed, context, this.#keys);
    if (value === undefined && !this.#hasWarned) {
      this.#hasWarned = true;
      this.#log.warn(UNREADABLE);
    }
    return value;
  }
}

/**
 * Returns a store whose values and messages are encrypted with AES-256-GCM in `store`, and whose keys show there only their kind. A value
 * that cannot be decrypted is treated as absent; the first one is logged.
 */
export const createEncryptedStore = (
  store: StateStore,
  keys: StateEncryptionKeys,
  log: EncryptionLog,
): StateStore => new EncryptedStore(store, keys, log);
