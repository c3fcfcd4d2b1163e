import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeKey } from '../port/encoded-key.ts';
import type { Lifetime, SetOptions, StateKey, StateStore } from '../port/state-store.ts';
import { openValue, sealValue } from './sealed-value.ts';
import type { StateEncryptionKey, StateEncryptionKeys } from './state-keys.ts';

/** Receives the warnings of an encrypted store: one sentence without keys and values. */
export interface EncryptionLog {
  warn(sentence: string): void;
}

const UNREADABLE =
  'The state store has values that the state key of this process cannot decrypt; they are treated as absent, so that people sign in again.';

const isEqual = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** The name of an entry in the inner store: parts of a key become an HMAC, so that no subject stands in a name. */
const hiddenKey = (key: StateKey, { names }: StateEncryptionKey): StateKey => [
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
    return hiddenKey(key, this.#keys.current);
  }

  #previousName(key: StateKey): StateKey | undefined {
    return this.#keys.previous && hiddenKey(key, this.#keys.previous);
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
export const encryptedStore = (
  store: StateStore,
  keys: StateEncryptionKeys,
  log: EncryptionLog,
): StateStore => new EncryptedStore(store, keys, log);
