import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import {
  computeTtl,
  ChannelListeners,
  encodeKey,
  EVICTED_GROUP_ENTRIES,
  type Lifetime,
  MAX_GROUP_ENTRIES,
  requireBoundedValue,
  type SetOptions,
  type StateKey,
  type StateStore,
} from '../port/state-store.ts';
import { openRedis, RedisConnection } from './redis-connection.ts';
import type { RedisStoreOptions } from './redis-options.ts';

/**
 * Writes an entry and adds it to its group, a sorted set with the time of writing as score. When the group is full, members that do not exist
 * any more are removed, and the oldest ones are deleted, some at a time because the search for the former reads all members.
 */
const SET_IN_GROUP = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ttl = tonumber(ARGV[2])
local max = tonumber(ARGV[3])
if not redis.call('ZSCORE', KEYS[2], KEYS[1]) and redis.call('ZCARD', KEYS[2]) >= max then
  for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    if redis.call('EXISTS', member) == 0 then redis.call('ZREM', KEYS[2], member) end
  end
  if redis.call('ZCARD', KEYS[2]) >= max then
    for _, member in ipairs(redis.call('ZRANGE', KEYS[2], 0, tonumber(ARGV[4]) - 1)) do
      redis.call('UNLINK', member)
      redis.call('ZREM', KEYS[2], member)
    end
  end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ttl)
redis.call('ZADD', KEYS[2], now, KEYS[1])
if redis.call('PTTL', KEYS[2]) < ttl then redis.call('PEXPIRE', KEYS[2], ttl) end
return 1
`;

const DELETE_GROUP = `
for _, member in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do redis.call('UNLINK', member) end
return redis.call('UNLINK', KEYS[1])
`;

const DELETE_IF = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('UNLINK', KEYS[1])
`;

/** Runs a script and returns its number. */
type Script = (redis: Redis, keys: readonly string[], args: readonly string[]) => Promise<number>;

/** Returns a function that runs a script by its digest, and sends its text when the server does not know it. */
const createScript = (lua: string): Script => {
  const digest = createHash('sha1').update(lua).digest('hex');
  return async (redis, keys, args) => {
    try {
      return (await redis.evalsha(digest, keys.length, ...keys, ...args)) as number;
    } catch (error) {
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
      return (await redis.eval(lua, keys.length, ...keys, ...args)) as number;
    }
  };
};

/** Arguments: entry and group; value, lifetime in milliseconds, maximum of the group, entries to delete from a full one. */
const setInGroup = createScript(SET_IN_GROUP);

/** Argument: group. */
const deleteGroup = createScript(DELETE_GROUP);

/** Arguments: entry; value. Returns 1 when the entry had the value and was deleted. */
const deleteIf = createScript(DELETE_IF);

/**
 * Messages of channels, over a connection that the first subscription opens. After a lost connection the channels are subscribed again;
 * messages of the time between are lost.
 */
class RedisMessages {
  readonly #options: RedisStoreOptions;
  readonly #listeners = new ChannelListeners();
  #redis: Redis | undefined;
  #isClosed = false;

  constructor(options: RedisStoreOptions) {
    this.#options = options;
  }

  subscribe(channel: string, listener: (text: string) => void): () => void {
    const isFirst = !this.#listeners.has(channel);
    const remove = this.#listeners.add(channel, listener);
    if (this.#redis === undefined) this.#open();
    else if (isFirst) this.#subscribeTo(this.#redis, [channel]);
    return () => {
      remove();
      if (!this.#listeners.has(channel)) this.#unsubscribeFrom(channel);
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#listeners.clear();
    this.#redis?.disconnect();
  }

  #open(): void {
    if (this.#isClosed) return;
    const redis = openRedis(this.#options);
    this.#redis = redis;
    // The connection for commands reports the state of the server.
    redis.on('error', () => undefined);
    redis.on('ready', () => this.#subscribeTo(redis, this.#listeners.channels()));
    redis.on('message', (name: string, text: string) =>
      this.#listeners.notify(name.slice(this.#prefix.length), text),
    );
    redis.connect().catch(() => undefined);
  }

  /** A failed subscription is repeated when the connection is ready again. */
  #subscribeTo(redis: Redis, channels: readonly string[]): void {
    if (redis.status !== 'ready' || channels.length === 0) return;
    redis.subscribe(...channels.map((channel) => this.#prefix + channel)).catch(() => undefined);
  }

  #unsubscribeFrom(channel: string): void {
    if (this.#redis?.status !== 'ready') return;
    this.#redis.unsubscribe(this.#prefix + channel).catch(() => undefined);
  }

  get #prefix(): string {
    return formatChannelPrefix(this.#options.prefix);
  }
}

/** Beginning of the names of channels in the server. */
const formatChannelPrefix = (prefix: string): string => `${prefix}channel:`;

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
    const ttl = computeTtl(ttlMs);
    if (ttl === 0) return this.delete(key);
    if (group !== undefined) return this.#setInGroup(key, value, ttl, group);
    await this.#connection.run((redis) => redis.set(this.#entry(key), value, 'PX', ttl));
  }

  async add(key: StateKey, value: string, { ttlMs }: Lifetime): Promise<boolean> {
    requireBoundedValue(value);
    const ttl = computeTtl(ttlMs);
    if (ttl === 0) return (await this.get(key)) === undefined;
    const answer = await this.#connection.run((redis) =>
      redis.set(this.#entry(key), value, 'PX', ttl, 'NX'),
    );
    return answer === 'OK';
  }

  async replace(key: StateKey, value: string, { ttlMs }: Lifetime): Promise<boolean> {
    requireBoundedValue(value);
    const ttl = computeTtl(ttlMs);
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
      redis.publish(formatChannelPrefix(this.#prefix) + channel, text),
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
