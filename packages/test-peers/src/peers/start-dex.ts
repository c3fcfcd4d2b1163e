import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { dexProgram } from './dex-program.ts';

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

/** A person in the password database of Dex. Sign in with the e-mail address. */
export interface DexUser {
  readonly email: string;
  readonly username: string;
  readonly userID: string;
  readonly password: string;
}

/** Options of `startDex`. */
export interface DexOptions {
  /** 0 for any free one. */
  readonly port?: number;
  readonly clients?: readonly DexClient[];
  /** By default alice and bob of `DEX_USERS`. */
  readonly users?: readonly DexUser[];
  /** Further connectors in the form of Dex's configuration. `mockCallback` signs in one person with groups, without a page. */
  readonly connectors?: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly config?: object;
  }[];
  /** By default 300. */
  readonly idTokenSeconds?: number;
  /** Shows Dex's own consent page. By default false. */
  readonly asksForApproval?: boolean;
  /** People sign in with passwords. By default true. */
  readonly hasPasswords?: boolean;
}

/** A running Dex. */
export interface TestDex {
  readonly issuer: string;
  /** Returns what Dex has logged. */
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

/** The people of a Dex without `users`. Each signs in with the e-mail address and the password `password`. */
const DEX_USERS: readonly DexUser[] = ['alice', 'bob'].map((name) => ({
  email: `${name}@example.com`,
  username: name,
  userID: `user-${name}`,
  password: 'password',
}));

const configurationOf = (options: DexOptions): object => ({
  clients: options.clients ?? [],
  users: options.users ?? DEX_USERS,
  connectors: options.connectors ?? [],
  idTokenSeconds: options.idTokenSeconds ?? 300,
  asksForApproval: options.asksForApproval ?? false,
  hasPasswords: options.hasPasswords ?? true,
});

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

/**
 * Starts Dex on the loopback address, with its storage in memory: passwords, refresh tokens that rotate, audiences of other clients, the
 * device flow and token exchange. It has no registration and no resource indicators. It is built on first use and ends with this process.
 * @throws {PeerMissing} without Go
 */
export const startDex = async (options: DexOptions = {}): Promise<TestDex> => {
  const args = ['-listen', `127.0.0.1:${options.port ?? 0}`];
  const child = spawn(await dexProgram(), args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => lines.push(line));
  child.stdin.write(JSON.stringify(configurationOf(options)));
  const first = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const ended = once(child, 'exit').then(() => undefined);
  const [issuer] = (await Promise.race([first, ended])) ?? [];
  if (issuer === undefined) throw new Error(`Dex ended: ${lines.join('\n')}`);
  return { issuer, log: () => lines.join('\n'), close: () => stop(child) };
};
