import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { reasonOf } from '../reason.ts';
import { resolvesWithin } from '../deadlines.ts';
import type { Watchdog } from './watchdog.ts';

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
