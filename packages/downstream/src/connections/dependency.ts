import type { McpServer } from '@gateway/crd-schemas';
import { lookup } from 'node:dns/promises';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { createConnection, isIP } from 'node:net';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { resolveSpec } from '../wire/referenced-values.ts';
import { resolveChildDirectory, createChildEnvironment } from '../wire/stdio/process-group.ts';
import { StartGate } from './start-gate.ts';

/** The executable or endpoint that a server requires to start. @spec §2.6 autoStart */
export type Dependency =
  | {
      readonly kind: 'executable';
      /** One of these files is required. */
      readonly files: readonly string[];
      readonly directory: string | undefined;
    }
  | { readonly kind: 'endpoint'; readonly host: string; readonly port: number };

const CONNECT_MS = 1_000;
const MAX_PATH_ENTRIES = 64;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Returns the candidates in the order of `execvp`: only a command without a slash is searched on the child's own path. */
const listFiles = (command: string, path: string, directory: string): readonly string[] =>
  command.includes('/') || isAbsolute(command)
    ? [resolve(directory, command)]
    : path
        .split(delimiter)
        .slice(0, MAX_PATH_ENTRIES)
        .map((entry) => resolve(directory, entry, command));

export const findDependency = (server: McpServer, baseDirectory?: string): Dependency => {
  const spec = resolveSpec(server);
  if (spec.type === 'stdio') {
    const directory = resolveChildDirectory(spec, baseDirectory);
    const path = createChildEnvironment(process.env, spec.env)['PATH'] ?? '';
    return {
      kind: 'executable',
      files: listFiles(spec.command, path, directory ?? '.'),
      directory,
    };
  }
  const address = spec.url;
  // Without its values the URL names no host; a missing value is reported when the server starts.
  if (!URL.canParse(address)) return { kind: 'executable', files: [], directory: undefined };
  const url = new URL(address);
  return {
    kind: 'endpoint',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 80) : Number(url.port),
  };
};

const isExecutable = async (file: string): Promise<boolean> => {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
};

const hasDirectory = async (directory: string | undefined): Promise<boolean> =>
  directory === undefined ||
  stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );

const canConnect = (host: string, port: number): Promise<boolean> =>
  new Promise((settle) => {
    const socket = createConnection({ host, port, timeout: CONNECT_MS });
    const done = (found: boolean) => (): void => {
      socket.destroy();
      settle(found);
    };
    socket.once('connect', done(true));
    socket.once('error', done(false));
    socket.once('timeout', done(false));
    socket.unref();
  });

const isReachable = async (host: string, port: number): Promise<boolean> => {
  if (isIP(host) !== 0) return canConnect(host, port);
  const found = await lookup(host, { all: true }).catch(() => []);
  for (const { address } of found.slice(0, 4)) if (await canConnect(address, port)) return true;
  return false;
};

/** Resolves with whether the dependency exists. Runs nothing and sends nothing. */
export const isAvailable = async (dependency: Dependency): Promise<boolean> => {
  if (dependency.kind === 'endpoint') return isReachable(dependency.host, dependency.port);
  if (!(await hasDirectory(dependency.directory))) return false;
  for (const file of dependency.files) if (await isExecutable(file)) return true;
  return false;
};

/** Returns whether the check queries the name service, which may take long and occupies a thread meanwhile. */
const needsLookup = (dependency: Dependency): boolean =>
  dependency.kind === 'endpoint' && isIP(dependency.host) === 0;

/** Checks for a missing dependency at intervals, and calls back once when it exists. Returns the function that stops the checks. */
export type WatchDependency = (
  dependency: Dependency,
  everyMs: number,
  onAppeared: () => void,
) => () => void;

/** Maximum numbers of concurrent checks: all, and those of them that query the name service. */
const DEFAULT_CHECKS = { checks: 8, lookups: 1 };

/** Random variation of each interval, so that servers that failed together are not checked together. */
const SPREAD = 0.25;

/** Few checks run concurrently, however many dependencies are missing. */
export const createDependencyWatch = (
  check: (dependency: Dependency) => Promise<boolean> = isAvailable,
  bounds: Readonly<typeof DEFAULT_CHECKS> = DEFAULT_CHECKS,
): WatchDependency => {
  const quick = new StartGate(bounds.checks - bounds.lookups, () => 0);
  const slow = new StartGate(bounds.lookups, () => 0);
  return (dependency, everyMs, onAppeared) => {
    const gate = needsLookup(dependency) ? slow : quick;
    const ending = new AbortController();
    const { signal } = ending;
    let timer: NodeJS.Timeout | undefined;
    const plan = (): void => {
      timer = setTimeout(() => void run(), everyMs * (1 - SPREAD + 2 * SPREAD * Math.random()));
      timer.unref();
    };
    const run = async (): Promise<void> => {
      const leave = await gate.enter('', false, signal);
      const isThere = leave !== undefined && (await check(dependency));
      leave?.();
      if (signal.aborted) return;
      if (isThere) onAppeared();
      else plan();
    };
    plan();
    return () => {
      ending.abort();
      clearTimeout(timer);
    };
  };
};
