import {
  createMemoryStore,
  encryptedStore,
  openRedisStore,
  parseStateKey,
  redisUrlProblem,
  type StateStore,
} from '@gateway/state-store';

/** Environment variable with the password of the Redis server. */
const PASSWORD_VARIABLE = 'PORTAL_REDIS_PASSWORD';

/** Where sessions are. */
export interface StoreOptions {
  /** URL of a Redis server that replicas share; the memory of this process when absent. */
  readonly redis?: string;
  /** The key of the portal. */
  readonly key: Uint8Array | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: {
    readonly warn: (sentence: string) => void;
    readonly info: (sentence: string) => void;
  };
}

/** The store, or one sentence that names the option that is wrong. */
export type OpenedStore =
  | { readonly ok: true; readonly store: StateStore }
  | { readonly ok: false; readonly problem: string };

const refused = (problem: string): OpenedStore => ({ ok: false, problem });

/** Opens the store of the sessions. What a server stores is encrypted with a key that is derived from that of the portal. */
export const openStore = async (options: StoreOptions): Promise<OpenedStore> => {
  const { redis, key, environment, log } = options;
  if (redis === undefined) return { ok: true, store: createMemoryStore() };
  const url = URL.canParse(redis) ? new URL(redis) : undefined;
  if (url === undefined) return refused('--redis must be a URL');
  if (url.password !== '')
    return refused(`--redis must not contain a password: use ${PASSWORD_VARIABLE}`);
  const problem = redisUrlProblem(url);
  if (problem !== undefined) return refused(`--redis ${problem}`);
  if (key === undefined)
    return refused('--redis needs PORTAL_SESSION_KEY, the secret that replicas share');
  const parsed = parseStateKey(Buffer.from(key).toString('hex'), 'PORTAL_SESSION_KEY');
  if (!parsed.ok) return parsed;
  const password = (): string | undefined => environment[PASSWORD_VARIABLE] || undefined;
  const store = await openRedisStore({ url, password, prefix: 'portal', log });
  return { ok: true, store: encryptedStore(store, { current: parsed.key }, log) };
};
