import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { childEnvironment } from './child-environment.ts';

/**
 * The watchdog's program, run by `node -e`. It reads `+<pid>` and `-<pid>` lines from its stdin. When that pipe ends, it kills the process
 * groups that are still listed and exits. It is a string and not a source file, so that every bundler includes it. It ignores signals, so
 * that a signal to the gateway does not end the watchdog first.
 */
const WATCHDOG_PROGRAM = `
const groups = new Set();
let rest = '';
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
const kill = (signal) => {
  for (const pid of groups) {
    try { process.kill(process.platform === 'win32' ? pid : -pid, signal); } catch { groups.delete(pid); }
  }
};
let ended = false;
const end = () => {
  if (ended) return;
  ended = true;
  kill('SIGTERM');
  if (groups.size === 0) process.exit(0);
  setTimeout(() => { kill('SIGKILL'); process.exit(0); }, 500);
};
process.stdin.setEncoding('latin1');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const pid = Number(line.slice(1));
    if (!Number.isSafeInteger(pid) || pid <= 1) continue;
    if (line[0] === '+') groups.add(pid); else groups.delete(pid);
  }
});
process.stdin.on('end', end);
process.stdin.on('error', end);
`;

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
