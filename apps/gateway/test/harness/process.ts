import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A child process with its recorded lines of output. */
export interface RunningProcess {
  readonly child: ChildProcess;
  readonly stdout: string[];
  readonly stderr: string[];
  /** Resolves with the first line of either stream, past or future, that satisfies the predicate. */
  line(found: (line: string) => boolean, withinMs?: number): Promise<string>;
  /** Sends the signal and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Waits for the exit without sending anything. */
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts `node <args>` and keeps what it prints. */
export function startNode(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): RunningProcess {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const stdout: string[] = [];
  const stderr: string[] = [];
  const listeners = new Set<(line: string) => void>();
  collect(child.stdout, stdout, listeners);
  collect(child.stderr, stderr, listeners);
  const exited = once(child, 'close').then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
  }));

  return {
    child,
    stdout,
    stderr,
    exited,
    line: (found, withinMs = 60_000) =>
      new Promise((resolve, reject) => {
        const past = [...stdout, ...stderr].find(found);
        if (past !== undefined) return resolve(past);
        const settle = (finish: () => void): void => {
          clearTimeout(timer);
          listeners.delete(listener);
          finish();
        };
        const report = (why: string): Error =>
          new Error(`${why}\n${[...stdout, ...stderr].slice(-40).join('\n')}`);
        const timer = setTimeout(() => {
          settle(() => {
            reject(report(`no such line within ${String(withinMs)} ms`));
          });
        }, withinMs);
        const listener = (line: string): void => {
          if (found(line))
            settle(() => {
              resolve(line);
            });
        };
        listeners.add(listener);
        void exited.then(() => {
          settle(() => {
            reject(report('the process ended first'));
          });
        });
      }),
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return exited;
    },
  };
}

function collect(
  stream: NodeJS.ReadableStream,
  lines: string[],
  listeners: ReadonlySet<(line: string) => void>,
): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      for (const listener of [...listeners]) listener(line);
    }
  });
}
