import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { findFreePort } from '@gateway/test-peers';
import type { ImageTree } from './image-tree.ts';

/** The program of an image, run from its tree as a container would run it. */
export interface Contained {
  readonly url: string;
  readonly logs: () => string;
  /** Performs the image's HEALTHCHECK, and gives its exit code. */
  readonly healthcheck: () => number | null;
  /** Sends a signal to process 1, and waits for its end. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** Overrides of the image at start. */
export interface ContainedOptions {
  readonly uid?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const isRoot = process.getuid?.() === 0;

/** As root, in a process namespace of its own where that is allowed. */
const NAMESPACE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const isolated = isRoot && spawnSync('unshare', [...NAMESPACE.slice(1), 'true']).status === 0;

/** Replaces tini where it is not installed: forwards SIGTERM and SIGINT, reaps orphans, exits with the code of its child. */
const INIT = `#!/bin/sh
shift
"$@" & child=$!
trap 'kill -TERM $child' TERM
trap 'kill -INT $child' INT
while :; do wait $child; code=$?; kill -0 $child 2>/dev/null || exit $code; done
`;

/** Gives a folder to the user that the image runs as. */
export function give(folder: string, uid: number): void {
  if (isRoot) chownSync(folder, uid, uid);
}

/** Starts ENTRYPOINT and CMD of the image on a free port, and waits until it listens. */
export async function contained(
  tree: ImageTree,
  { uid = tree.uid, env = {} }: ContainedOptions = {},
): Promise<Contained> {
  const [port, healthPort] = [String(await findFreePort()), String(await findFreePort())];
  const environment = { ...environmentOf(tree), ...env };
  const command = [...tree.command.map(tree.inTree), '--port', port, '--health-port', healthPort];
  const [init = '', ...rest] = existsSync(command[0] ?? '')
    ? command
    : [initScript(tree), ...command.slice(1)];
  const [program = '', ...args] = [...through(uid), init, ...rest];
  const child = spawn(program, args, {
    env: environment,
    cwd: tree.inTree(tree.workdir),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const exited = once(child, 'close');
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('"msg":"listening"')) resolve();
    });
    void exited.then(() => {
      reject(new Error(`ended before it listened\n${log}`));
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    logs: () => log,
    healthcheck: () => {
      const [check = '', ...words] = tree.healthcheck.map((word) =>
        word.replace(':8090/', `:${port}/`).replace(':9464/', `:${healthPort}/`),
      );
      return spawnSync(check, words, { env: environment }).status;
    },
    stop: async (signal) => {
      process.kill(firstProcess(child.pid ?? 0), signal);
      await exited;
      return child.exitCode;
    },
  };
}

const through = (uid: number): readonly string[] => {
  if (!isRoot) return [];
  const [id, group] = [`--reuid=${String(uid)}`, `--regid=${String(uid)}`];
  const as = ['setpriv', id, group, '--clear-groups', '--no-new-privs'];
  return isolated ? [...NAMESPACE, ...as] : as;
};

/** The environment of the image, with the Node of the tests instead of that of the image. */
function environmentOf({ env, inTree }: ImageTree): Record<string, string | undefined> {
  const own = Object.fromEntries([...env].map(([name, value]) => [name, inTree(value)]));
  return { ...own, PATH: `${dirname(process.execPath)}:${own['PATH'] ?? ''}` };
}

function initScript({ root }: ImageTree): string {
  const file = join(root, 'init.sh');
  writeFileSync(file, INIT);
  chmodSync(file, 0o755);
  return file;
}

/** The namespace's process 1 as it is seen from here: `unshare` waits for it and keeps signals to itself. */
function firstProcess(pid: number): number {
  if (!isolated) return pid;
  const id = String(pid);
  return Number(readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim());
}
