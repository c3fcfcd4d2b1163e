import type { StdioServerSpec } from '@gateway/crd-schemas';
import {
  type ChildProcessByStdio,
  type ChildProcessWithoutNullStreams,
  spawn,
} from 'node:child_process';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { isResolvedWithin } from '@gateway/call-contract';
import { formatReason } from '../reason.ts';

/** Returns the absolute working directory of a stdio server; `undefined` when it inherits that of the gateway. @spec §2.6 `cwd` */
export const resolveChildDirectory = (
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

/** Returns a fixed subset of the gateway's variables, without its secrets, overridden by `spec.env`. @spec §2.6 `env` */
export const createChildEnvironment = (
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

/** Run by `node -e`: reads `+<pid>` and `-<pid>` lines, and kills these process groups when stdin ends. A string, so that every bundler includes it. */
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

/** A helper process that kills the process groups of the gateway's children when its pipe to the gateway ends, even after SIGKILL. */
export interface Watchdog {
  guard(pid: number): void;
  release(pid: number): void;
  close(): void;
}

const startHelper = (): ChildProcessByStdio<Writable, null, null> => {
  const helper = spawn(process.execPath, ['--max-old-space-size=16', '-e', WATCHDOG_PROGRAM], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
    env: createChildEnvironment(process.env, {}),
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

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

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

export const formatProcessExit = ({ code, signal }: ProcessExit): string =>
  signal === null ? `process exited with code ${code ?? 'unknown'}` : `process ended by ${signal}`;

const waitExit = (child: ChildProcessWithoutNullStreams, pid: number): Promise<ProcessExit> =>
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
const createSpawnFailure = async (error: Error, directory: string | undefined): Promise<Error> => {
  const failure = new Error(`cannot run the command: ${formatReason(error)}`, { cause: error });
  if (directory === undefined) return failure;
  const hasDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (hasDirectory) return failure;
  const text = `cannot run the command: there is no directory ${directory} to run it in`;
  return Object.assign(new Error(text), { code: 'ENOENT' });
};

const waitSpawn = (
  child: ChildProcessWithoutNullStreams,
  directory: string | undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', (error) => {
      void createSpawnFailure(error, directory).then(reject);
    });
  });

const terminate = async (
  { pid, ended }: Pick<ProcessGroup, 'pid' | 'ended'>,
  graceMs: number,
  killedMs: number,
): Promise<void> => {
  signalGroup(pid, 'SIGTERM');
  if (await isResolvedWithin(ended, graceMs)) return;
  signalGroup(pid, 'SIGKILL');
  await isResolvedWithin(ended, killedMs + OUTPUT_DRAIN_MS);
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
  const started = waitSpawn(child, spec.directory);
  if (pid === undefined) {
    await started;
    throw new Error('the command started without a process id');
  }
  watchdog.guard(pid);
  const ended = waitExit(child, pid);
  void ended.then(() => watchdog.release(pid));
  // An error of a pipe is reported as the end of the process.
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => undefined);
  await started;
  const { closeGraceMs, startGraceMs } = spec;
  const shutDown = async (): Promise<void> => {
    stdin.end();
    if (await isResolvedWithin(ended, closeGraceMs)) return;
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
