import { spawn } from 'node:child_process';
import { once } from 'node:events';

const MAX_START_MS = 60_000;

/** A child process that printed the expected line. */
export interface NodeProcess {
  /** The expected line. */
  readonly line: string;
  stop(): Promise<void>;
}

/**
 * Runs `node <args>` and waits for a line of its output.
 *
 * @param isReady picks the line
 */
export async function startNode(
  args: readonly string[],
  isReady: (line: string) => boolean,
  env: Readonly<Record<string, string>> = {},
): Promise<NodeProcess> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  const exited = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  const said: string[] = [];
  const line = new Promise<string>((resolve, reject) => {
    const fail = (): void => {
      reject(new Error(`${args.join(' ')} said no such line:\n${said.join('')}`));
    };
    const limit = setTimeout(fail, MAX_START_MS);
    const read = (text: string): void => {
      said.push(text);
      const found = said.join('').split('\n').find(isReady);
      if (found === undefined) return;
      clearTimeout(limit);
      resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    child.on('close', fail);
  });
  try {
    return { line: await line, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
