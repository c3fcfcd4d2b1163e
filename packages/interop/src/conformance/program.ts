import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program in a separate process. */
export interface Program {
  /** The address on which the program listens, from its output. */
  readonly listening: Promise<string>;
  /** Terminates the program, by force after a timeout. Resolves when it has ended. */
  readonly stop: () => Promise<void>;
  /** The last of what it wrote to standard error. */
  readonly errorOutput: () => string;
}

const START_MS = 60_000;
const GRACE_MS = 8_000;
const KEPT_CHARACTERS = 8_000;

/** The working directory of a program and its maximum duration. */
export interface RunLimits {
  readonly cwd: string;
  readonly withinMs: number;
  /** Gets each line of the standard output as it is written. */
  readonly onLine?: (line: string) => void;
}

/** A run of a program to its end. */
export interface Ending {
  /** Nothing when a signal ended it: it took too long. */
  readonly code: number | undefined;
  readonly output: string;
}

/** The running programs. They end with this process, unless SIGKILL ends it. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill();
});

function started(child: ChildProcess): ChildProcess {
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** Starts a Node script that sends `{ listening }` to its parent over the message channel. */
export function startProgram(args: readonly string[]): Program {
  const child = started(
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] }),
  );
  const text = lastOutput(child);
  return {
    listening: addressOf(child, text),
    stop: () => stop(child),
    errorOutput: text,
  };
}

/** Runs a program to its end, for at most `withinMs`. */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: RunLimits & { readonly env?: Readonly<Record<string, string>> },
): Promise<Ending> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started(child);
  const text = lastOutput(child);
  if (options.onLine !== undefined)
    createInterface({ input: child.stdout }).on('line', options.onLine);
  const ended = once(child, 'close');
  const timer = setTimeout(() => child.kill('SIGKILL'), options.withinMs);
  await ended;
  clearTimeout(timer);
  return { code: child.exitCode ?? undefined, output: text() };
}

function lastOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-KEPT_CHARACTERS);
    });
  return () => text;
}

function addressOf(child: ChildProcess, text: () => string): Promise<string> {
  const address = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`The program did not print its address within ${START_MS} ms.\n${text()}`));
    }, START_MS);
    child.on('message', (message) => {
      clearTimeout(timer);
      resolve((message as { listening: string }).listening);
    });
    child.once('close', () => {
      clearTimeout(timer);
      reject(new Error(`It ended before it listened.\n${text()}`));
    });
  });
  // A caller that awaits the address sees the error; there may be none yet.
  address.catch(() => undefined);
  return address;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  await gone;
  clearTimeout(timer);
}
