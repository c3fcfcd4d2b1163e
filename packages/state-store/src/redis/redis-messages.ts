import type { Redis } from 'ioredis';
import { ChannelListeners } from '../port/channel-listeners.ts';
import { openRedis } from './redis-connection.ts';
import type { RedisStoreOptions } from './redis-options.ts';

/**
 * Messages of channels, over a connection that the first subscription opens. After a lost connection the channels are subscribed again;
 * messages of the time between are lost.
 */
export class RedisMessages {
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
    return channelPrefix(this.#options.prefix);
  }
}

/** Beginning of the names of channels in the server. */
export const channelPrefix = (prefix: string): string => `${prefix}channel:`;
