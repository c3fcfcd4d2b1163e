import { resolvesWithin } from '@gateway/call-contract';
import { resolve } from 'node:path';
import type { StdioServerSpec } from '@gateway/crd-schemas';
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio, ChildProcessWithoutNullStreams } from 'node:child_process';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { stat } from 'node:fs/promises';
import { reasonOf } from '../reason.ts';

/**
 * Returns the absolute working directory of a stdio server, from which its relative command and arguments count: `spec.cwd`, resolved
 * against the base directory, or the base directory itself. `undefined` without both: the process inherits the directory of the gateway.
 *
 * @spec §2.6 `cwd`
 */
export const childDirectory = (
  { cwd }: Pick<StdioServerSpec, 'cwd'>,
  baseDirectory?: string,
): string | undefined =>
  cwd === undefined && baseDirectory === undefined
    ? undefined
    : resolve(baseDirectory ?? '.', cwd ?? '.');

const POSIX_NAMES = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TERM', 'USER', 'SHELL'];
const WINDOWS_NAMES = [
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

/**
 * Returns the environment of a stdio server: a fixed subset of the gateway's variables, overridden by `spec.env`. The gateway's secrets are
 * not passed on.
 *
 * @spec §2.6 `env`
 */
export const childEnvironment = (
  own: Readonly<Record<string, string | undefined>>,
  specEnv: Readonly<Record<string, string>>,
  platform: string = process.platform,
): Record<string, string> => {
  const environment = new Map<string, string>();
  for (const name of platform === 'win32' ? WINDOWS_NAMES : POSIX_NAMES) {
    const value = own[name];
    if (value !== undefined) environment.set(name, value);
  }
  for (const [name, value] of Object.entries(specEnv)) environment.set(name, value);
  return Object.fromEntries(environment);
};

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

/** The command of a process. */
export interface ProcessSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** An absolute path; the directory of the gateway when it is `undefined`. */
  readonly directory: string | undefined;
  /** From closing stdin to SIGTERM, and from SIGTERM to SIGKILL, in milliseconds. */
  readonly closeGraceMs: number;
  /** From SIGTERM to SIGKILL for a process that may be installing, in milliseconds. */
  readonly startGraceMs: number;
}

/** The end of a process: its exit status, or the signal that ended it. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A child process that leads its own process group and ends together with the group. */
export interface ProcessGroup {
  readonly pid: number;
  readonly stdin: ChildProcessWithoutNullStreams['stdin'];
  readonly stdout: ChildProcessWithoutNullStreams['stdout'];
  readonly stderr: ChildProcessWithoutNullStreams['stderr'];
  /** Resolves with the end of the child, after its group was killed and its output was read. Never rejects. */
  readonly ended: Promise<ProcessExit>;
  /** Closes stdin, then sends SIGTERM, then SIGKILL, each after the grace period. Resolves when the group has ended. */
  close(): Promise<void>;
  /** Sends SIGTERM, then SIGKILL after the grace period of a start. Resolves when the group has ended. */
  terminate(): Promise<void>;
}

/** Time to read the rest of the output from a pipe that a process outside the group holds open, in milliseconds. */
const OUTPUT_DRAIN_MS = 250;
const ownGroup = process.platform !== 'win32';

const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(ownGroup ? -pid : pid, signal);
  } catch {
    // The group has ended already.
  }
};

/** Returns how a process ended, in words. */
export const exitText = ({ code, signal }: ProcessExit): string =>
  signal === null ? `process exited with code ${code ?? 'unknown'}` : `process ended by ${signal}`;

const whenEnded = (child: ChildProcessWithoutNullStreams, pid: number): Promise<ProcessExit> =>
  new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const exit: ProcessExit = { code, signal };
      signalGroup(pid, 'SIGKILL');
      const timer = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve(exit);
      }, OUTPUT_DRAIN_MS);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(exit);
      });
    });
  });

/** Node.js reports the same error for a missing executable and for a missing working directory. */
const spawnFailure = async (error: Error, directory: string | undefined): Promise<Error> => {
  const failure = new Error(`cannot run the command: ${reasonOf(error)}`, { cause: error });
  if (directory === undefined) return failure;
  const hasDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (hasDirectory) return failure;
  const text = `cannot run the command: there is no directory ${directory} to run it in`;
  return Object.assign(new Error(text), { code: 'ENOENT' });
};

const spawned = (
  child: ChildProcessWithoutNullStreams,
  directory: string | undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', (error) => {
      void spawnFailure(error, directory).then(reject);
    });
  });

const terminate = async (
  { pid, ended }: Pick<ProcessGroup, 'pid' | 'ended'>,
  graceMs: number,
  killedMs: number,
): Promise<void> => {
  signalGroup(pid, 'SIGTERM');
  if (await resolvesWithin(ended, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await resolvesWithin(ended, killedMs + OUTPUT_DRAIN_MS);
};

/** Starts a command without a shell, as the leader of its own process group, guarded by the watchdog. Rejects when it cannot be started. */
export const startProcessGroup = async (
  spec: ProcessSpec,
  watchdog: Watchdog,
): Promise<ProcessGroup> => {
  const child = spawn(spec.command, [...spec.args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: ownGroup,
    windowsHide: true,
    env: { ...spec.environment },
    cwd: spec.directory,
  });
  const { pid, stdin, stdout, stderr } = child;
  const started = spawned(child, spec.directory);
  if (pid === undefined) {
    await started;
    throw new Error('the command started without a process id');
  }
  watchdog.guard(pid);
  const ended = whenEnded(child, pid);
  void ended.then(() => watchdog.release(pid));
  // An error of a pipe is reported as the end of the process.
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
  await started;
  const { closeGraceMs, startGraceMs } = spec;
  const shutDown = async (): Promise<void> => {
    stdin.end();
    if (await resolvesWithin(ended, closeGraceMs)) return;
    await terminate({ pid, ended }, closeGraceMs, closeGraceMs);
  };
  let closing: Promise<void> | undefined;
  return {
    pid,
    stdin,
    stdout,
    stderr,
    ended,
    close: () => (closing ??= shutDown()),
    terminate: () => (closing ??= terminate({ pid, ended }, startGraceMs, closeGraceMs)),
  };
};
