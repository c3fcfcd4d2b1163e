import { statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { createServer } from 'node:net';

/** A feature that needs a newer Node than the program that offers it. */
export interface NodeRequirement {
  /** As users know it, for example `` `--trace` ``. */
  readonly feature: string;
  /** The first release that can run the feature, for example `22.13.0`. */
  readonly minimum: string;
}

/** The first release of Node that the programs run on, as `engines` in their manifests says. */
export const OLDEST_NODE = '22.19.0';

const parseNumbers = (version: string): readonly number[] => version.split('.').map(Number);

/**
 * Returns why this Node cannot run a feature, in one sentence, or undefined when it can. A program refuses to start with this
 * sentence when such a feature is configured.
 *
 * @param version of the running Node
 */
export function validateNodeVersion(
  { feature, minimum }: NodeRequirement,
  version: string = process.versions.node,
): string | undefined {
  const [running, needed] = [parseNumbers(version), parseNumbers(minimum)];
  const different = needed.findIndex((number, at) => running[at] !== number);
  if (different < 0 || (running[different] ?? 0) > (needed[different] ?? 0)) return undefined;
  return `${feature} needs Node ${minimum} or later, this is Node ${version}; start the program with a newer Node`;
}

const ROOT = 0;
const WRITABLE_BY_ALL = 0o002;

/** Milliseconds after which the functions that a start needs are compiled, and stored. */
const STORE_AFTER_MS = 5_000;

/**
 * Lets Node store the compiled code of a program in `.cache` of its package, and use it at the next start. A user who does not own the
 * package creates no folder in it, root writes nothing into the package of a user, and a folder that everybody can write is not used.
 * Never throws.
 *
 * @param program the URL of a file in a folder of the package
 * @param user the user of this process; undefined where there are no numbers of users
 */
export function storeCompiledCode(program: string, user = process.getuid?.()): void {
  const file = fileURLToPath(program);
  const folder = join(dirname(file), '../.cache');
  const isOwner = user === undefined || statSync(file).uid === user;
  const state = statSync(folder, { throwIfNoEntry: false });
  if (!isOwner && (state === undefined || user === ROOT)) return;
  if (state !== undefined && (state.mode & WRITABLE_BY_ALL) !== 0) return;
  module.enableCompileCache(folder);
  // A process that is killed stores nothing at its end.
  // eslint-disable-next-line n/no-unsupported-features/node-builtins -- Node 22 has it as an experiment
  setTimeout(() => module.flushCompileCache(), STORE_AFTER_MS).unref();
}

/** Returns the error of listening at an address, which is free again afterwards; `undefined` when a service can listen there. */
export const findListenError = ({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}): Promise<NodeJS.ErrnoException | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve);
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve(undefined);
      });
    });
  });

/** The address at which a service was to listen, and the options that change it, as the user writes them. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** For example `--port`. */
  readonly portOption: string;
  readonly hostOption?: string;
}

/** System calls of a server that starts to listen: of its process, of the primary process of a cluster, and the lookup of its host. */
const LISTEN_CALLS: ReadonlySet<unknown> = new Set(['listen', 'bind', 'getaddrinfo']);

const formatText = (code: string, address: ListenAddress): string | undefined => {
  const { host, port, portOption, hostOption = '--host' } = address;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port.toString()} of ${host} is in use by another process: end that process, or choose another port with ${portOption}`;
    case 'EACCES':
      return `port ${port.toString()} of ${host} is reserved by the operating system: choose another port with ${portOption}, 1024 or higher`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `this machine does not have the address ${host}: choose another one with ${hostOption}`;
    default:
      return undefined;
  }
};

/** Returns why a service did not start, as one line. When it could not listen, the line has the address and the remedy. */
export function formatStartFailure(error: unknown, address: ListenAddress): string {
  if (!(error instanceof Error)) return String(error);
  const { syscall, code, message } = error as NodeJS.ErrnoException;
  return (LISTEN_CALLS.has(syscall) ? formatText(code ?? '', address) : undefined) ?? message;
}
