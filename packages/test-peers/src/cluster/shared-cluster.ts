import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, type ClusterFacts, connectCluster } from './cluster.ts';
import type { ClusterOptions } from './cluster-files.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** The argument of the process of a shared cluster. */
export interface KeeperOrder {
  readonly socket: string;
  /** The process with whose end the cluster ends. */
  readonly owner: number;
  readonly options: ClusterOptions;
}

export type KeeperAnswer =
  | { readonly ok: true; readonly facts: ClusterFacts }
  | { readonly ok: false; readonly problem: string };

/** Returns the path of the socket of the cluster that an owner has for some options. */
const computeSocketPath = (owner: number, options: ClusterOptions): string => {
  const hash = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 12);
  return join(tmpdir(), `cluster-${process.getuid?.() ?? 0}-${owner}-${hash}.sock`);
};

const LOADER = new URL('../../../repo-checks/bin/load-typescript.mjs', import.meta.url);
const PROGRAM = new URL('./run-keeper.ts', import.meta.url);

const CONNECT_MS = 60_000;
const POLL_MS = 50;

/** Returns whether the process of a socket was killed: a young socket may not listen yet. */
const isOld = (path: string): boolean => {
  const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs > CONNECT_MS;
};

const tryConnect = async (path: string): Promise<Socket | undefined> => {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED' && isOld(path))
      rmSync(path, { force: true });
    return undefined;
  }
};

const launch = (order: KeeperOrder): void => {
  const args = ['--import', LOADER.href, PROGRAM.pathname, JSON.stringify(order)];
  spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref();
};

const connectKeeper = async (order: KeeperOrder): Promise<Socket> => {
  const first = await tryConnect(order.socket);
  if (first !== undefined) return first;
  launch(order);
  const end = performance.now() + CONNECT_MS;
  while (performance.now() < end) {
    const socket = await tryConnect(order.socket);
    if (socket !== undefined) return socket;
    await delay(POLL_MS);
  }
  throw new Error('The process of the shared cluster did not start');
};

const connected = new Map<string, Promise<Cluster>>();

const joinCluster = async (order: KeeperOrder): Promise<Cluster> => {
  const answer = JSON.parse(await text(await connectKeeper(order))) as KeeperAnswer;
  if (!answer.ok) throw new Error(answer.problem);
  return connectCluster(answer.facts);
};

/**
 * Returns the cluster that all test files of a run share, for each set of options one. The first file starts it, in a process of its own
 * that ends with the run. Each test has a namespace of its own in it; what disturbs others belongs into `startOwnCluster`.
 * @throws on a machine without Go
 */
export const openSharedCluster = (options: ClusterOptions = {}): Promise<Cluster> => {
  // Test files have processes of their own, whose parent is the run.
  const owner = process.ppid;
  const socket = computeSocketPath(owner, options);
  const known = connected.get(socket) ?? joinCluster({ socket, owner, options });
  connected.set(socket, known);
  return known;
};
