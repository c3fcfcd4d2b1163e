import { KeyedFileLocks, readTextFile, replaceFileAtomically } from '@gateway/files';
import { chmod, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { CommandFailure } from '../failure.ts';

export interface StoredClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly authentication: 'none' | 'client_secret_basic' | 'client_secret_post';
}

export interface StoredSignIn {
  readonly issuer: string;
  readonly resource: string;
  readonly client: StoredClient;
  readonly tokenEndpoint: string;
  readonly revocationEndpoint?: string;
  readonly accessToken: string;
  /** Time in milliseconds; unknown when the server does not say it. */
  readonly expiresAt?: number;
  /** Time in milliseconds from which the token is refreshed. */
  readonly refreshAt?: number;
  readonly refreshToken?: string;
  readonly scope?: string;
  /** Shown to the user, and never used for a decision. */
  readonly subject?: string;
  readonly email?: string;
  readonly name?: string;
}

/** Returns the text that shows the user: the e-mail address, the name or the subject, whichever is known first. */
export const formatUser = ({
  email,
  name,
  subject,
}: Pick<StoredSignIn, 'email' | 'name' | 'subject'>): string | undefined =>
  email ?? name ?? subject;

const REQUIRED = ['issuer', 'resource', 'tokenEndpoint', 'accessToken'] as const;

const parseSignIn = (value: unknown): StoredSignIn | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Record<string, unknown>;
  const client = fields['client'] as Record<string, unknown> | null | undefined;
  const isComplete =
    REQUIRED.every((name) => typeof fields[name] === 'string') &&
    typeof client?.['clientId'] === 'string';
  return isComplete ? (value as StoredSignIn) : undefined;
};

const REFRESH_BEFORE_MS = 60_000;

/** Returns when a token is refreshed: a minute before it expires, and not in the first half of its lifetime. In milliseconds. */
export const refreshTime = (now: number, lifetimeMs: number): number =>
  now + lifetimeMs - Math.min(REFRESH_BEFORE_MS, lifetimeMs / 2);

/** Returns whether a token needs no refresh. A token of unknown expiry is used until it is refused. */
export const isFresh = ({ refreshAt = Infinity }: StoredSignIn): boolean => refreshAt > Date.now();

export const isValid = ({ expiresAt = Infinity }: StoredSignIn): boolean => expiresAt > Date.now();

type Environment = Readonly<Record<string, string | undefined>>;

const findHome = (environment: Environment): string =>
  environment['HOME'] || environment['USERPROFILE'] || homedir();

const findParent = (environment: Environment, platform: NodeJS.Platform): string => {
  if (environment['XDG_CONFIG_HOME']) return environment['XDG_CONFIG_HOME'];
  if (platform === 'win32' && environment['APPDATA']) return environment['APPDATA'];
  return platform === 'darwin'
    ? join(findHome(environment), 'Library', 'Application Support')
    : join(findHome(environment), '.config');
};

/** Returns the directory of the user's settings for the command line: `XDG_CONFIG_HOME`, otherwise the one of the platform. */
const resolveConfigHome = (
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string => join(findParent(environment, platform), 'mcp-gateway');

/** Secrets in the keyring of the operating system. Methods reject when the keyring cannot be used. */
interface Keyring {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  delete(account: string): Promise<void>;
}

interface KeyringModule {
  readonly AsyncEntry: new (
    service: string,
    account: string,
    options?: { readonly linux?: { readonly store: 'secret-service' } },
  ) => {
    getPassword(): Promise<string | null>;
    setPassword(secret: string): Promise<void>;
    deletePassword(): Promise<boolean>;
  };
}

const SERVICE = 'mcp-gateway';
/** The keyring of the Linux kernel is empty after a restart. */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

/** The package is optional and has native code, which a bundle cannot contain. */
const load = (): KeyringModule | undefined => {
  try {
    return createRequire(import.meta.url)('@napi-rs/keyring') as KeyringModule;
  } catch {
    return undefined;
  }
};

/** Returns the keyring, or undefined without its package, or when `GATEWAY_KEYRING` is `off`. @param environment of the command */
const openKeyring = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Keyring | undefined => {
  if (environment['GATEWAY_KEYRING'] === 'off') return undefined;
  const module = load();
  if (module === undefined) return undefined;
  const { AsyncEntry } = module;
  return {
    get: async (account) =>
      (await new AsyncEntry(SERVICE, account, OPTIONS).getPassword()) ?? undefined,
    set: (account, secret) => new AsyncEntry(SERVICE, account, OPTIONS).setPassword(secret),
    delete: async (account) => {
      await new AsyncEntry(SERVICE, account, OPTIONS).deletePassword();
    },
  };
};

/** Returns the failure of a sign-in that is missing or has ended, with the command that repeats it. */
export const signInRequired = (url: string, reason = 'requires a sign-in'): CommandFailure =>
  new CommandFailure('failed', `${url} ${reason}: run gateway auth login ${url}`);

type SignInStorage = 'keyring' | 'file';

interface FoundSignIn {
  readonly signIn: StoredSignIn;
  readonly storage: SignInStorage;
}

type Entry =
  { readonly storage: 'keyring' } | { readonly storage: 'file'; readonly signIn: unknown };

type Entries = ReadonlyMap<string, Entry>;

const FILE = 'sign-ins.json';
const LOCK = 'sign-ins';
const LOCK_WAIT_MS = 30_000;
const PRIVATE = { mode: 0o600, isDurable: true };

const parseEntries = (text: string): Entries => {
  try {
    const value = JSON.parse(text) as unknown;
    const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
    return new Map(
      entries.filter((entry): entry is [string, Entry] => {
        const { storage } = (entry[1] ?? {}) as Partial<Entry>;
        return storage === 'keyring' || storage === 'file';
      }),
    );
  } catch {
    return new Map();
  }
};

/**
 * The sign-ins of a user, by the URL of the gateway: in the keyring of the operating system, else in a file of mode 0600. The file lists
 * the URLs in both cases, so that commands without a sign-in do not open the keyring.
 */
export class SignInStore {
  readonly #directory: string;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #locks: KeyedFileLocks;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
    this.#directory = resolveConfigHome(environment);
    this.#locks = new KeyedFileLocks({
      directory: join(this.#directory, 'locks'),
      key: new RegExp(`^${LOCK}$`, 'u'),
      waitMs: LOCK_WAIT_MS,
      foreignMs: LOCK_WAIT_MS,
    });
  }

  get file(): string {
    return join(this.#directory, FILE);
  }

  async urls(): Promise<readonly string[]> {
    return [...(await this.#read()).keys()];
  }

  /** Returns a sign-in; one that cannot be read does not exist. */
  async get(url: string): Promise<FoundSignIn | undefined> {
    const entry = (await this.#read()).get(url);
    if (entry === undefined) return undefined;
    const value = entry.storage === 'file' ? entry.signIn : await readFrom(this.#keyring(), url);
    const signIn = parseSignIn(value);
    return signIn && { signIn, storage: entry.storage };
  }

  async set(url: string, signIn: StoredSignIn): Promise<SignInStorage> {
    const entries = new Map(await this.#read());
    const storage = (await writeTo(this.#keyring(), url, signIn)) ? 'keyring' : 'file';
    entries.set(url, storage === 'keyring' ? { storage } : { storage, signIn });
    await this.#write(entries);
    return storage;
  }

  async delete(url: string): Promise<void> {
    const entries = new Map(await this.#read());
    const entry = entries.get(url);
    if (entry === undefined) return;
    if (entry.storage === 'keyring')
      await this.#keyring()
        ?.delete(url)
        .catch(() => undefined);
    entries.delete(url);
    await this.#write(entries);
  }

  /** Runs a task that reads and writes sign-ins while no other process does. */
  async exclusively<T>(task: () => Promise<T>): Promise<T> {
    await this.#createDirectory();
    const result = await this.#locks.run(LOCK, async () => ({ value: await task() }));
    if ('value' in result) return result.value;
    throw new CommandFailure(
      'failed',
      `another gateway command (process ${result.heldBy}) uses the sign-ins: try again`,
    );
  }

  #keyring(): Keyring | undefined {
    return openKeyring(this.#environment);
  }

  async #createDirectory(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
  }

  async #read(): Promise<Entries> {
    const read = await readTextFile(this.file, { acceptReplaced: true });
    if (read.kind === 'text') return parseEntries(read.text);
    if (read.kind === 'absent') return new Map();
    const reason = read.kind === 'unsettled' ? 'changes while it is read' : read.message;
    throw new CommandFailure('failed', `${this.file} ${reason}`);
  }

  async #write(entries: Entries): Promise<void> {
    await this.#createDirectory();
    const text = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
    // A replacement keeps the permissions of the file.
    await chmod(this.file, PRIVATE.mode).catch(() => undefined);
    await replaceFileAtomically(this.file, text, PRIVATE);
  }
}

const readFrom = async (keyring: Keyring | undefined, url: string): Promise<unknown> => {
  try {
    const text = await keyring?.get(url);
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
};

/** Returns whether the keyring has the sign-in now. Some keyrings limit the size of a secret. */
const writeTo = async (
  keyring: Keyring | undefined,
  url: string,
  signIn: StoredSignIn,
): Promise<boolean> => {
  if (keyring === undefined) return false;
  try {
    await keyring.set(url, JSON.stringify(signIn));
    return true;
  } catch {
    return false;
  }
};
