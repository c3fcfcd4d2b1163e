import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { childEnvironment } from './child-environment.ts';
import { WATCHDOG_PROGRAM } from './watchdog-program.ts';

/**
 * One helper process that outlives the gateway briefly: it holds a pipe to the gateway and knows the process groups of its children. When
 * the pipe ends, it kills them. Even SIGKILL on the gateway leaves no orphans.
 */
export interface Watchdog {
  /** Adds a process group that must end with the gateway. */
  guard(pid: number): void;
  /** Removes a group that has ended. */
  release(pid: number): void;
  /** Ends the helper; guarded groups are killed. */
  close(): void;
}

const startHelper = (): ChildProcessByStdio<Writable, null, null> => {
  const helper = spawn(process.execPath, ['--max-old-space-size=16', '-e', WATCHDOG_PROGRAM], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
    env: childEnvironment(process.env, {}),
  });
  // A broken pipe means that the helper exited; its `exit` handler restarts it.
  helper.stdin.on('error', () => undefined);
  helper.on('error', () => undefined);
  // Neither the helper nor its pipe keeps the gateway running.
  helper.unref();
  if (helper.stdin instanceof Socket) helper.stdin.unref();
  return helper;
};

/** Returns a watchdog whose helper process starts with the first guarded group, and again if it exits. */
export const createWatchdog = (): Watchdog => {
  const guarded = new Set<number>();
  let helper: ReturnType<typeof startHelper> | undefined;
  let closed = false;
  const tell = (line: string): void => {
    if (helper?.stdin.writable === true) helper.stdin.write(line);
  };
  const ensureHelper = (): void => {
    if (helper !== undefined || closed) return;
    const started = startHelper();
    helper = started;
    started.once('exit', () => {
      if (helper !== started) return;
      helper = undefined;
      if (guarded.size > 0) ensureHelper();
    });
    for (const pid of guarded) tell(`+${pid}\n`);
  };
  return {
    guard(pid) {
      guarded.add(pid);
      if (helper === undefined) ensureHelper();
      else tell(`+${pid}\n`);
    },
    release(pid) {
      if (guarded.delete(pid)) tell(`-${pid}\n`);
    },
    close() {
      closed = true;
      const last = helper;
      helper = undefined;
      last?.stdin.end();
    },
  };
};
