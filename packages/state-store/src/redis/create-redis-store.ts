import { encodeKey } from '../port/encoded-key.ts';
import {
  boundedTtl,
  EVICTED_GROUP_ENTRIES,
  MAX_GROUP_ENTRIES,
  requireBoundedValue,
} from '../port/limits.ts';
import type { Lifetime, SetOptions, StateKey, StateStore } from '../port/state-store.ts';
import { RedisConnection } from './redis-connection.ts';
import { channelPrefix, RedisMessages } from './redis-messages.ts';
import type { RedisStoreOptions } from './redis-options.ts';
import { deleteGroup, deleteIf, setInGroup } from './scripts.ts';

class RedisStore implements StateStore {
  readonly #prefix: string;
  readonly #connection: RedisConnection;
  readonly #messages: RedisMessages;

  constructor(options: RedisStoreOptions) {
    this.#prefix = options.prefix;
    this.#connection = new RedisConnection(options);
    this.#messages = new RedisMessages(options);
  }

  async get(key: StateKey): Promise<string | undefined> {
    const value = await this.#connection.run((redis) => redis.get(this.#entry(key)));
    return value ?? undefined;
  }

  async set(key: StateKey, value: string, { ttlMs, group }: SetOptions): Promise<void> {
    requireBoundedValue(value);
    const ttl = boundedTtl(ttlMs);
    if (ttl === 0) return this.delete(key);
    if (group !== undefined) return this.#setInGroup(key, value, ttl, group);
    await this.#connection.run((redis) => redis.set(this.#entry(key), value, 'PX', ttl));
  }

  async add(key: StateKey, value: string, { ttlMs }: Lifetime): Promise<boolean> {
    requireBoundedValue(value);
    const ttl = boundedTtl(ttlMs);
    if (ttl === 0) return (await this.get(key)) === undefined;
    const answer = await this.#connection.run((redis) =>
      redis.set(this.#entry(key), value, 'PX', ttl, 'NX'),
    );
    return answer === 'OK';
  }

  async replace(key: StateKey, value: string, { ttlMs }: Lifetime): Promise<boolean> {
    requireBoundedValue(value);
    const ttl = boundedTtl(ttlMs);
    if (ttl === 0) return (await this.take(key)) !== undefined;
    const answer = await this.#connection.run((redis) =>
      redis.set(this.#entry(key), value, 'PX', ttl, 'XX'),
    );
    return answer === 'OK';
  }

  async take(key: StateKey): Promise<string | undefined> {
    const value = await this.#connection.run((redis) => redis.getdel(this.#entry(key)));
    return value ?? undefined;
  }

  async delete(key: StateKey): Promise<void> {
    await this.#connection.run((redis) => redis.unlink(this.#entry(key)));
  }

  async deleteIf(key: StateKey, value: string): Promise<boolean> {
    const deleted = await this.#connection.run((redis) =>
      deleteIf(redis, [this.#entry(key)], [value]),
    );
    return deleted === 1;
  }

  async deleteGroup(group: StateKey): Promise<void> {
    await this.#connection.run((redis) => deleteGroup(redis, [this.#group(group)], []));
  }

  async publish(channel: string, text: string): Promise<void> {
    requireBoundedValue(text);
    await this.#connection.run((redis) =>
      redis.publish(channelPrefix(this.#prefix) + channel, text),
    );
  }

  subscribe(channel: string, listener: (text: string) => void): () => void {
    return this.#messages.subscribe(channel, listener);
  }

  close(): Promise<void> {
    this.#messages.close();
    this.#connection.close();
    return Promise.resolve();
  }

  async #setInGroup(key: StateKey, value: string, ttl: number, group: StateKey): Promise<void> {
    const keys = [this.#entry(key), this.#group(group)];
    const limits = [`${MAX_GROUP_ENTRIES}`, `${EVICTED_GROUP_ENTRIES}`];
    await this.#connection.run((redis) => setInGroup(redis, keys, [value, `${ttl}`, ...limits]));
  }

  #entry(key: StateKey): string {
    return `${this.#prefix}entry:${encodeKey(key)}`;
  }

  #group(key: StateKey): string {
    return `${this.#prefix}group:${encodeKey(key)}`;
  }
}

/**
 * Returns a store in a Redis or Valkey server (6.2 or later, not a cluster), which it connects to at once and again after a loss. Without
 * the server every method rejects within two seconds with `unavailable`. An operation whose answer is lost may have been executed.
 */
export const createRedisStore = (options: RedisStoreOptions): StateStore => new RedisStore(options);
