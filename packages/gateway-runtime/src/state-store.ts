import path from 'node:path';
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createLogger, isPrivateFile } from '@gateway/service-host';
import type { GatewayConfig } from '@gateway/gateway-config';
import {
  type StateEncryptionKeys,
  type StateStore,
  createMemoryStore,
  createEncryptedStore,
  openRedisStore,
  parseStateKey,
  validateRedisUrl,
} from '@gateway/state-store';
import type { Logger } from 'pino';
import { randomUUID } from 'node:crypto';
import { type StateDirectory, openKeyFile, openStateDirectory } from '@gateway/files';

const MAX_BYTES = 64 * 1024;

/** The lines of a file, or the reason why it is refused, without its content. */
type PrivateFile =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly reason: string };

const readOpened = (file: number): PrivateFile => {
  const facts = fstatSync(file);
  if (!facts.isFile()) return { ok: false, reason: 'is not a regular file' };
  if (!isPrivateFile(facts)) {
    return { ok: false, reason: 'can be read by other users: set its mode to 0600' };
  }
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  const length = readSync(file, bytes);
  if (length > MAX_BYTES) return { ok: false, reason: 'has more than 64 KiB' };
  const lines = bytes.toString('utf8', 0, length).split(/\r?\n/u);
  return lines[0] === '' ? { ok: false, reason: 'has an empty first line' } : { ok: true, lines };
};

/** Reads a regular file that only its owner can access, of at most 64 KiB. Never throws. */
export const readPrivateFile = (path: string): PrivateFile => {
  let file: number | undefined;
  try {
    // Opening a named pipe would wait for its writer.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return readOpened(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { ok: false, reason: code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})` };
  } finally {
    if (file !== undefined) closeSync(file);
  }
};

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

const readKeyFile = (path: string): StateKeys => {
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
    return keyFile === undefined ? { ok: false, problem: MISSING } : readKeyFile(keyFile);
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

const createRefusal = (problem: string): { readonly ok: false; readonly problem: string } => ({
  ok: false,
  problem,
});

const readUrl = ({ url }: StateConfig): Read<URL> => {
  if (url === undefined) return createRefusal('state.store is redis, but state.url is not set');
  const value = URL.canParse(url) ? new URL(url) : undefined;
  const problem = value === undefined ? 'must be a URL' : validateRedisUrl(value);
  return value === undefined || problem !== undefined
    ? createRefusal(`state.url ${problem ?? ''}`)
    : { ok: true, value };
};

const readCa = ({ caFile }: StateConfig, directory: string): Read<string | undefined> => {
  if (caFile === undefined) return { ok: true, value: undefined };
  try {
    return { ok: true, value: readFileSync(path.resolve(directory, caFile), 'utf8') };
  } catch {
    return createRefusal(`state.caFile: ${caFile} cannot be read`);
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
  const place = path.resolve(directory, passwordFile);
  const first = readPrivateFile(place);
  if (!first.ok) return createRefusal(`state.passwordFile: ${place} ${first.reason}`);
  const value = (): string | undefined => {
    const file = readPrivateFile(place);
    if (file.ok) return file.lines[0];
    logger.warn(`state.passwordFile: ${place} ${file.reason}`);
    return undefined;
  };
  return { ok: true, value };
};

const createServerStore = async (
  config: StateConfig,
  dependencies: StateStoreDependencies,
): Promise<CreatedStateStore> => {
  const { directory, environment, logger } = dependencies;
  const keyFile =
    config.keyFile === undefined ? undefined : path.resolve(directory, config.keyFile);
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
    url: url.value,
    password: password.value,
    prefix: config.prefix,
    log,
    ...(ca.value !== undefined && { ca: ca.value }),
  });
  const { current, previous } = keys.keys;
  const shared = {
    sessionKey: current.sessionIds,
    ...(previous && { previousSessionKey: previous.sessionIds }),
  };
  return { ok: true, store: createEncryptedStore(store, keys.keys, log), shared };
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

const LIFETIME = { ttlMs: 60_000 };

/** Where the keys and passwords of a store are. */
export type StateProblemOptions = Omit<StateStoreDependencies, 'logger'>;

/**
 * Writes, reads and deletes a value in the store that `state` describes. Returns the sentence of the first failure, or `undefined`. It does not
 * find out whether other processes use another state key: their values have other names. Never rejects.
 */
export const validateStateStore = async (
  config: GatewayConfig['state'],
  options: StateProblemOptions,
): Promise<string | undefined> => {
  const logger = createLogger({ format: 'json', level: 'error' });
  const created = await createStateStore(config, { ...options, logger });
  if (!created.ok) return created.problem;
  const { store } = created;
  const value = randomUUID();
  const key = ['diagnosis', value] as const;
  try {
    await store.set(key, value, LIFETIME);
    const read = await store.get(key);
    await store.delete(key);
    return read === value
      ? undefined
      : 'The state store did not return the value that was written.';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await store.close();
  }
};

/** The state directory of a gateway. */
export interface SessionKeyLocation {
  readonly directory: string;
  /** This process holds the lock of the directory. */
  readonly isLocked: boolean;
}

/**
 * Returns the key in the state directory that signs session ids, so that sessions survive a restart, and creates it on the first
 * start. Returns `undefined`, with a warning, when it cannot be used: sessions then end with this process.
 */
export async function openSessionKey(
  { directory, isLocked }: SessionKeyLocation,
  logger: Logger,
): Promise<Uint8Array | undefined> {
  const file = path.join(directory, 'session-key');
  const opened = await openKeyFile(file, { mayReplace: isLocked });
  if (!opened.ok) {
    const text = `the session key in the state directory cannot be used: ${opened.reason}; sessions end with this process`;
    logger.warn({ stateDirectory: directory }, text);
    return undefined;
  }
  if (opened.replaced !== undefined) {
    const text = `the session key in the state directory was replaced, because ${opened.replaced}; earlier sessions have ended`;
    logger.warn({ stateDirectory: directory }, text);
  }
  return opened.key;
}

/** Opens the directory for state that survives restarts. If it cannot be used, logs one warning and returns `undefined`: the state stays in memory. */
export async function openState(
  directory: string,
  logger: Logger,
): Promise<StateDirectory | undefined> {
  const opened = await openStateDirectory(directory);
  if (opened.ok) return opened.state;
  logger.warn(
    { stateDirectory: directory },
    `the state directory cannot be used: ${opened.reason}; events and declared tools stay in memory`,
  );
  return undefined;
}
