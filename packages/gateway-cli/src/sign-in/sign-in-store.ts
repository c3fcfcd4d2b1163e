import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KeyedFileLocks, readTextFile, replaceFileAtomically } from '@gateway/files';
import { CommandFailure } from '../failure.ts';
import { configurationHome } from './configuration-home.ts';
import { openKeyring, type Keyring } from './keyring.ts';
import { parseSignIn, type StoredSignIn } from './stored-sign-in.ts';

/** Where the tokens of a sign-in are. */
export type SignInStorage = 'keyring' | 'file';

/** A sign-in, and where it is stored. */
export interface FoundSignIn {
  readonly signIn: StoredSignIn;
  readonly storage: SignInStorage;
}

/** An entry of the file: the sign-in, or the fact that the keyring has it. */
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
 * The sign-ins of a person, by the URL of the gateway: in the keyring of the operating system, else in a file of mode 0600. The file lists
 * the URLs in both cases, so that commands without a sign-in do not open the keyring.
 */
export class SignInStore {
  readonly #directory: string;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #locks: KeyedFileLocks;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#environment = environment;
    this.#directory = configurationHome(environment);
    this.#locks = new KeyedFileLocks({
      directory: join(this.#directory, 'locks'),
      key: new RegExp(`^${LOCK}$`, 'u'),
      waitMs: LOCK_WAIT_MS,
      foreignMs: LOCK_WAIT_MS,
    });
  }

  /** Path of the file. */
  get file(): string {
    return join(this.#directory, FILE);
  }

  /** Returns the URLs of all sign-ins. */
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

  /** Writes a sign-in and returns where it is. */
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
