import { endProgram } from './processes.ts';
import { goProgram } from './programs.ts';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const MODULE = fileURLToPath(new URL('../dex', import.meta.url));

/**
 * Returns the path of Dex. It is built once, into the cache folder of the user; the first build takes up to two minutes.
 * @throws {PeerMissing} without Go, or when the build fails
 */
export const dexProgram = (): Promise<string> =>
  goProgram({ name: 'dex', module: MODULE, target: '.', sources: ['main.go'] });

/** A client of Dex. */
export interface DexClient {
  readonly id: string;
  readonly secret?: string;
  readonly name?: string;
  readonly public?: boolean;
  readonly redirectURIs?: readonly string[];
  /** The clients that may request tokens for this one: the scope `audience:server:client_id:<id>`. */
  readonly trustedPeers?: readonly string[];
}

/** Options of `startDex`. */
export interface DexOptions {
  readonly clients?: readonly DexClient[];
  /** Further connectors in the form of Dex's configuration. `mockCallback` signs in one person with groups, without a page. */
  readonly connectors?: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly config?: object;
  }[];
}

/** A running Dex. */
export interface TestDex {
  readonly issuer: string;
  /** Returns what Dex has logged. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

/** The people of every Dex. Each signs in with the e-mail address. */
const DEX_USERS = ['alice', 'bob'].map((name) => ({
  email: `${name}@example.com`,
  username: name,
  userID: `user-${name}`,
  password: 'password',
}));

const configurationOf = (options: DexOptions): object => ({
  clients: options.clients ?? [],
  users: DEX_USERS,
  connectors: options.connectors ?? [],
});

/**
 * Starts Dex on the loopback address, with its storage in memory: passwords, refresh tokens that rotate, audiences of other clients, the
 * device flow and token exchange. It has no registration and no resource indicators. It is built on first use and ends with this process.
 * @throws {PeerMissing} without Go
 */
export const startDex = async (options: DexOptions = {}): Promise<TestDex> => {
  const child = spawn(await dexProgram(), ['-listen', '127.0.0.1:0'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => lines.push(line));
  child.stdin.write(JSON.stringify(configurationOf(options)));
  const first = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const ended = once(child, 'exit').then(() => undefined);
  const [issuer] = (await Promise.race([first, ended])) ?? [];
  if (issuer === undefined) throw new Error(`Dex ended: ${lines.join('\n')}`);
  return { issuer, log: () => lines.join('\n'), close: () => endProgram(child) };
};
