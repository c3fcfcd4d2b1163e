import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a directory that the end of the test removes. */
export const testDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'kubernetes-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
};
