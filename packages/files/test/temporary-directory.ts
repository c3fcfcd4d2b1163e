import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty directory that the end of the test removes. */
export interface TemporaryDirectory {
  readonly directory: string;
  readonly at: (...parts: string[]) => string;
  readonly write: (file: string, text: string | Uint8Array) => Promise<void>;
}

/** Creates a directory for one test. */
export const temporaryDirectory = async (): Promise<TemporaryDirectory> => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'files-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const at = (...parts: string[]): string => path.join(directory, ...parts);
  return { directory, at, write: (file, text) => writeFile(at(file), text) };
};

/** Runs a task as a user without root privileges, so that file permissions apply. */
export const asOrdinaryUser = async <T>(directory: string, task: () => Promise<T>): Promise<T> => {
  if (process.getuid?.() !== 0) return task();
  const { mode } = await stat(directory);
  await chmod(directory, mode | 0o055);
  process.seteuid?.('nobody');
  try {
    return await task();
  } finally {
    process.seteuid?.(0);
  }
};
