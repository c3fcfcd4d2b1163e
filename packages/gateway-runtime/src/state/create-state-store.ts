import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { GatewayConfig } from '@gateway/gateway-config';
import {
  createMemoryStore,
  encryptedStore,
  openRedisStore,
  parseStateKey,
  redisUrlProblem,
  type StateEncryptionKeys,
  type StateStore,
} from '@gateway/state-store';
import type { Logger } from 'pino';
import { readPrivateFile } from './read-private-file.ts';

/** Environment variable with the key that encrypts and decrypts. */
const KEY_VARIABLE = 'GATEWAY_STATE_KEY';
/** Environment variable with the key that only decrypts. */
const PREVIOUS_VARIABLE = 'GATEWAY_STATE_KEY_PREVIOUS';

/** Places of state keys. */
interface StateKeyPlaces {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the key file. */
  readonly keyFile: string | undefined;
}

/** The keys, or one sentence that names the place and the remedy. */
type StateKeys =
  | { readonly ok: true; readonly keys: StateEncryptionKeys }
  | { readonly ok: false; readonly problem: string };

/** A text that may be a key, and the name of its place. */
interface KeyText {
  readonly text: string;
  readonly source: string;
}

const MISSING =
  'state.store is redis, but there is no key that encrypts the state: set GATEWAY_STATE_KEY or state.keyFile, for example to the output of "openssl rand -base64 32"';

const parseKeys = (current: KeyText, previous: KeyText | undefined): StateKeys => {
  const key = parseStateKey(current.text, current.source);
  if (!key.ok) return key;
  const before = previous && parseStateKey(previous.text, previous.source);
  if (before?.ok === false) return before;
  return {
    ok: true,
    keys: { current: key.key, ...(before !== undefined && { previous: before.key }) },
  };
};

const keysOfFile = (path: string): StateKeys => {
  const file = readPrivateFile(path);
  if (!file.ok) return { ok: false, problem: `state.keyFile: ${path} ${file.reason}` };
  const [current = '', previous = ''] = file.lines;
  return parseKeys(
    { text: current, source: 'state.keyFile, first line' },
    previous === '' ? undefined : { text: previous, source: 'state.keyFile, second line' },
  );
};

/** Reads the state keys from the environment, otherwise from the key file. */
const readStateKeys = ({ environment, keyFile }: StateKeyPlaces): StateKeys => {
  const current = environment[KEY_VARIABLE];
  if (!current)
    return keyFile === undefined ? { ok: false, problem: MISSING } : keysOfFile(keyFile);
  const previous = environment[PREVIOUS_VARIABLE];
  return parseKeys(
    { text: current, source: KEY_VARIABLE },
    previous ? { text: previous, source: PREVIOUS_VARIABLE } : undefined,
  );
};

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
interface SharedState {
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
