import { resolveDebianProgram, buildGoProgram, resolveProgram } from './programs.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  ChildPrograms,
  stopProgram,
  findFreePort,
  isListening,
  waitUntilReady,
} from './processes.ts';
import { fileURLToPath } from 'node:url';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { CertificateAuthority } from './certificate-authority.ts';
import { stringify } from 'yaml';

/** Debian's package `redis-tools` contains the server under this name, without a service that starts by itself. */
const SERVER_OF_TOOLS = 'redis-check-rdb';

/** Returns the path of a Redis or Valkey server. @throws {PeerMissing} when this machine cannot have it */
export const findRedisProgram = (): Promise<string> =>
  resolveProgram(['redis-server', 'valkey-server', SERVER_OF_TOOLS], 'redis-tools');

export interface TestRedis {
  readonly port: number;
  readonly url: URL;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops the process without ending its connections. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly close: () => Promise<void>;
}

const launch = async (args: readonly string[]): Promise<ChildProcess> => {
  const argv0 = 'redis-server';
  const child = spawn(await findRedisProgram(), args, {
    argv0,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child, 'spawn');
  for await (const line of createInterface(child.stdout))
    if (/ready to accept connections/i.test(line)) break;
  if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
  child.stdout.resume();
  return child;
};

/**
 * Starts a Redis or Valkey server on the loopback address that writes no files unless `options` say otherwise.
 * @param options of its command line, such as `['--requirepass', 'secret']`
 * @throws {PeerMissing} when this machine has none
 */
export const startRedis = async (options: readonly string[] = []): Promise<TestRedis> => {
  const directory = await mkdtemp(join(tmpdir(), 'redis-'));
  const port = await findFreePort();
  const fixed = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', directory, '--save', ''];
  const start = (): Promise<ChildProcess> => launch([...fixed, ...options]);
  let child = await start();
  return {
    port,
    url: new URL(`redis://127.0.0.1:${port}`),
    stop: () => stopProgram(child),
    start: async () => {
      child = await start();
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    close: async () => {
      await stopProgram(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
};

/** Returns the path of HAProxy. @throws {PeerMissing} when this machine cannot have it */
export const resolveHaproxy = (): Promise<string> => resolveProgram(['haproxy']);

interface TestHaproxy {
  readonly url: URL;
  readonly close: () => Promise<void>;
}

/**
 * Starts HAProxy on a free port of the loopback address.
 * @param configuration returns the configuration for the port that it must bind
 * @throws {PeerMissing} when this machine has none
 */
export const startHaproxy = async (
  configuration: (port: number) => string,
): Promise<TestHaproxy> => {
  const program = await resolveHaproxy();
  const directory = await mkdtemp(join(tmpdir(), 'haproxy-'));
  const port = await findFreePort();
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, configuration(port));
  // In the foreground: the process ends with this one.
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'inherit', 'inherit'] });
  await waitUntilReady(child, () => isListening(port));
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    close: async () => {
      await stopProgram(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
};

const MODULE = fileURLToPath(new URL('../dex', import.meta.url));

/**
 * Returns the path of Dex. It is built once, into the cache folder of the user; the first build takes up to two minutes.
 * @throws {PeerMissing} without Go, or when the build fails
 */
export const buildDex = (): Promise<string> =>
  buildGoProgram({ name: 'dex', module: MODULE, target: '.', sources: ['main.go'] });

interface DexClient {
  readonly id: string;
  readonly secret?: string;
  readonly name?: string;
  readonly public?: boolean;
  readonly redirectURIs?: readonly string[];
  /** The clients that may request tokens for this one: the scope `audience:server:client_id:<id>`. */
  readonly trustedPeers?: readonly string[];
}

interface DexOptions {
  readonly clients?: readonly DexClient[];
  /** Further connectors in the form of Dex's configuration. `mockCallback` signs in one user with groups, without a page. */
  readonly connectors?: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly config?: object;
  }[];
}

export interface TestDex {
  readonly issuer: string;
  readonly log: () => string;
  readonly close: () => Promise<void>;
}

/** The users of every Dex. Each signs in with the e-mail address. */
const DEX_USERS = ['alice', 'bob'].map((name) => ({
  email: `${name}@example.com`,
  username: name,
  userID: `user-${name}`,
  password: 'password',
}));

const toConfiguration = (options: DexOptions): object => ({
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
  const child = spawn(await buildDex(), ['-listen', '127.0.0.1:0'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  createInterface(child.stderr).on('line', (line) => lines.push(line));
  child.stdin.write(JSON.stringify(toConfiguration(options)));
  const first = once(createInterface(child.stdout), 'line') as Promise<[string]>;
  const ended = once(child, 'exit').then(() => undefined);
  const [issuer] = (await Promise.race([first, ended])) ?? [];
  if (issuer === undefined) throw new Error(`Dex ended: ${lines.join('\n')}`);
  return { issuer, log: () => lines.join('\n'), close: () => stopProgram(child) };
};

/** Returns the path of the registry of the Distribution project. @throws {PeerMissing} when this machine cannot have it */
export const resolveRegistryProgram = (): Promise<string> =>
  resolveDebianProgram('docker-registry');

/** A running registry (OCI distribution specification) that accepts pushes of everyone. */
export interface TestRegistry {
  readonly host: string;
  /** The path of the authority of its certificate as PEM. */
  readonly authority: string;
  readonly close: () => Promise<void>;
}

const NAME = 'docker-registry';

interface RegistryFiles {
  readonly authority: string;
  readonly configuration: string;
}

const writeFiles = async (
  folder: string,
  host: string,
  authority: CertificateAuthority,
): Promise<RegistryFiles> => {
  const { cert, key } = await authority.server();
  const file = (name: string): string => join(folder, name);
  await writeFile(file('authority.pem'), authority.cert);
  await writeFile(file('registry.pem'), cert);
  await writeFile(file('registry.key'), key, { mode: 0o600 });
  const configuration = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: file('storage') } },
    http: {
      addr: host,
      secret: 'of the tests',
      tls: { certificate: file('registry.pem'), key: file('registry.key') },
    },
  };
  await writeFile(file('registry.yaml'), stringify(configuration));
  return { authority: file('authority.pem'), configuration: file('registry.yaml') };
};

const isReady = async (host: string, ca: string): Promise<boolean> => {
  try {
    const [response] = (await once(get(`https://${host}/v2/`, { ca }), 'response')) as [
      IncomingMessage,
    ];
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  }
};

/**
 * Starts a registry on the loopback address. Resolves when it answers. It ends with this process, and its files are removed then.
 * @throws {PeerMissing} when this machine cannot have it
 */
export const startRegistry = async (): Promise<TestRegistry> => {
  const program = await resolveRegistryProgram();
  const folder = await mkdtemp(join(tmpdir(), 'registry-'));
  const port = await findFreePort();
  const host = `127.0.0.1:${port}`;
  const certificates = await CertificateAuthority.create();
  const { authority, configuration } = await writeFiles(folder, host, certificates);
  const programs = new ChildPrograms(folder);
  const child = programs.start(NAME, program, ['serve', configuration]);
  try {
    await waitUntilReady(child, () => isReady(host, certificates.cert));
  } catch (error) {
    const log = programs.readLog(NAME);
    await programs.close();
    throw new Error(`The registry does not answer:\n${log}`, { cause: error });
  }
  return { host, authority, close: () => programs.close() };
};
