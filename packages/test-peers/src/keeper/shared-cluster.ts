import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { connectCluster, type Cluster } from '../cluster/cluster.ts';
import type { ClusterOptions } from '../cluster/cluster-options.ts';
import { keeperSocket, type KeeperAnswer, type KeeperOrder } from './keeper-socket.ts';

const LOADER = new URL('../../../repo-checks/bin/load-typescript.mjs', import.meta.url);
const PROGRAM = new URL('./run-keeper.ts', import.meta.url);

const CONNECT_MS = 60_000;
const POLL_MS = 50;

/** Returns whether the process of a socket was killed: a young socket may not listen yet. */
const isOld = (path: string): boolean => {
  const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs > CONNECT_MS;
};

const opened = async (path: string): Promise<Socket | undefined> => {
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

const connection = async (order: KeeperOrder): Promise<Socket> => {
  const first = await opened(order.socket);
  if (first !== undefined) return first;
  launch(order);
  const end = performance.now() + CONNECT_MS;
  while (performance.now() < end) {
    const socket = await opened(order.socket);
    if (socket !== undefined) return socket;
    await delay(POLL_MS);
  }
  throw new Error('The process of the shared cluster did not start');
};

const connected = new Map<string, Promise<Cluster>>();

const join = async (order: KeeperOrder): Promise<Cluster> => {
  const answer = JSON.parse(await text(await connection(order))) as KeeperAnswer;
  if (!answer.ok) throw new Error(answer.problem);
  return connectCluster(answer.facts);
};

/**
 * Returns the cluster that all test files of a run share, for each set of options one. The first file starts it, in a process of its own
 * that ends with the run. Each test has a namespace of its own in it; what disturbs others belongs into `startOwnCluster`.
 * @throws on a machine without Go
 */
export const sharedCluster = (options: ClusterOptions = {}): Promise<Cluster> => {
  // Test files have processes of their own, whose parent is the run.
  const owner = process.ppid;
  const socket = keeperSocket(owner, options);
  const known = connected.get(socket) ?? join({ socket, owner, options });
  connected.set(socket, known);
  return known;
};
