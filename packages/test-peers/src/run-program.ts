import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A peer that this machine does not have. The message says what is missing. */
export class PeerMissing extends Error {
  override readonly name = 'PeerMissing';
}

/** Returns the path of a program in `PATH`, or undefined. */
export const findProgram = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

const lastLine = (text: string): string => text.trim().split('\n').at(-1) ?? '';

/** Runs a program to its end and returns its output. @throws {PeerMissing} with the last line of its errors when it fails */
export const runProgram = async (
  file: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> => {
  try {
    const { stdout } = await run(file, args, {
      ...options,
      env: { ...process.env, ...options.env },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new PeerMissing(`${file} ${args[0] ?? ''} failed: ${lastLine(stderr) || message}`);
  }
};
