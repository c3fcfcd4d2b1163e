import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GatewayConfig } from '@gateway/gateway-config';
import {
  createMemoryStore,
  encryptedStore,
  openRedisStore,
  redisUrlProblem,
  type StateStore,
} from '@gateway/state-store';
import type { Logger } from 'pino';
import { readPrivateFile } from './read-private-file.ts';
import { readStateKeys } from './read-state-keys.ts';

/** Environment variable with the password of the server. */
const PASSWORD_VARIABLE = 'GATEWAY_STATE_PASSWORD';

/** Dependencies of {@link createStateStore}. */
export interface StateStoreDependencies {
  /** The configuration directory. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
}

/** A store, or one sentence that names the key of `config.yaml` and the remedy. */
export type CreatedStateStore =
  | {
      readonly ok: true;
      readonly store: StateStore;
      /** Present when other processes may use the same store. */
      readonly shared?: SharedState;
    }
  | { readonly ok: false; readonly problem: string };

/** Keys that processes with the same state key have in common. */
export interface SharedState {
  /** Key that signs session ids. */
  readonly sessionKey: Uint8Array;
  /** The same of the previous state key, while the key is replaced. */
  readonly previousSessionKey?: Uint8Array;
}

type StateConfig = GatewayConfig['state'];

/** A part of the options of a server, or the problem of its key. */
type Read<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

const refused = (problem: string): { readonly ok: false; readonly problem: string } => ({
  ok: false,
  problem,
});

const readUrl = ({ url }: StateConfig): Read<URL> => {
  if (url === undefined) return refused('state.store is redis, but state.url is not set');
  const value = URL.canParse(url) ? new URL(url) : undefined;
  const problem = value === undefined ? 'must be a URL' : redisUrlProblem(value);
  return value === undefined || problem !== undefined
    ? refused(`state.url ${problem ?? ''}`)
    : { ok: true, value };
};

const readCa = ({ caFile }: StateConfig, directory: string): Read<string | undefined> => {
  if (caFile === undefined) return { ok: true, value: undefined };
  try {
    return { ok: true, value: readFileSync(resolve(directory, caFile), 'utf8') };
  } catch {
    return refused(`state.caFile: ${caFile} cannot be read`);
  }
};

type ReadPassword = () => string | undefined;

const readPassword = (
  { passwordFile }: StateConfig,
  { directory, environment, logger }: StateStoreDependencies,
): Read<ReadPassword> => {
  if (passwordFile === undefined) {
    return { ok: true, value: () => environment[PASSWORD_VARIABLE] || undefined };
  }
  const path = resolve(directory, passwordFile);
  const first = readPrivateFile(path);
  if (!first.ok) return refused(`state.passwordFile: ${path} ${first.reason}`);
  const value = (): string | undefined => {
    const file = readPrivateFile(path);
    if (file.ok) return file.lines[0];
    logger.warn(`state.passwordFile: ${path} ${file.reason}`);
    return undefined;
  };
  return { ok: true, value };
};

const createServerStore = async (
  config: StateConfig,
  dependencies: StateStoreDependencies,
): Promise<CreatedStateStore> => {
  const { directory, environment, logger } = dependencies;
  const keyFile = config.keyFile === undefined ? undefined : resolve(directory, config.keyFile);
  const keys = readStateKeys({ environment, keyFile });
  if (!keys.ok) return keys;
  const url = readUrl(config);
  if (!url.ok) return url;
  const ca = readCa(config, directory);
  if (!ca.ok) return ca;
  const password = readPassword(config, dependencies);
  if (!password.ok) return password;
  const log = {
    warn: (sentence: string) => logger.warn(sentence),
    info: (sentence: string) => logger.info(sentence),
  };
  const store = await openRedisStore({
    ...{ url: url.value, password: password.value, prefix: config.prefix, log },
    ...(ca.value !== undefined && { ca: ca.value }),
  });
  const { current, previous } = keys.keys;
  const shared = {
    sessionKey: current.sessionIds,
    ...(previous && { previousSessionKey: previous.sessionIds }),
  };
  return { ok: true, store: encryptedStore(store, keys.keys, log), shared };
};

/**
 * Returns the store that `state` describes: in memory, or encrypted in a server. A server that does not answer is no problem of the start:
 * the store connects when it is there. A server without a state key is refused.
 */
export const createStateStore = async (
  config: StateConfig,
  dependencies: StateStoreDependencies,
): Promise<CreatedStateStore> => {
  switch (config.store) {
    case 'memory':
      return { ok: true, store: createMemoryStore() };
    case 'redis':
      return createServerStore(config, dependencies);
  }
};
