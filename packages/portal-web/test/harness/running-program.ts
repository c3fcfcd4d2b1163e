import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const LAST_LINES = 40;

/** A program of the repository in a process of its own. */
export interface RunningProgram {
  readonly child: ChildProcess;
  /** Sends SIGTERM and waits for the end. */
  readonly stop: () => Promise<void>;
}

/** How a program is started. */
export interface ProgramOptions {
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Matches the line that says that the program listens. */
  readonly listening: RegExp;
}

/** Starts a program on the Node of the tests, and waits for the line that says that it listens. Rejects with the last lines of its output. */
export const startProgram = async ({
  args,
  env,
  listening,
}: ProgramOptions): Promise<RunningProgram & { readonly line: string }> => {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  const lines: string[] = [];
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (text) => {
      if (lines.push(text) > LAST_LINES) lines.shift();
      if (listening.test(text)) resolve(text);
    });
    void ended.then(() => {
      reject(new Error(`${args.join(' ')} ended\n${lines.join('\n')}`));
    });
  });
  return {
    child,
    line,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
};
