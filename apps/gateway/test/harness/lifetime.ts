import { createTestConfigDirectory, type ConfigDirectory } from '@gateway/repo-checks';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

type CleanUp = () => unknown;

/** The clean-ups of the groups that run, the innermost last. */
const groups: CleanUp[][] = [];

/** Starts what all tests of a file or group need. What starts here and in the tests ends after them, in reverse order. */
export function setUp(start: () => unknown, timeoutMs?: number): void {
  const group: CleanUp[] = [];
  beforeAll(async () => {
    groups.push(group);
    await start();
  }, timeoutMs);
  afterAll(async () => {
    groups.pop();
    for (const cleanUp of group.toReversed()) await cleanUp();
  });
}

/** Calls a function at the end: of the tests with {@link setUp}, else of the running test, else of the file. */
export function atEnd(cleanUp: CleanUp): void {
  const group = groups.at(-1);
  if (group !== undefined) {
    group.push(cleanUp);
    return;
  }
  const run = async (): Promise<void> => {
    await cleanUp();
  };
  try {
    onTestFinished(run);
  } catch {
    // No test runs yet.
    afterAll(run);
  }
}

/** Closes at the end what was started. */
export async function closing<T extends { readonly close: () => unknown }>(
  starting: T | Promise<T>,
): Promise<T> {
  const started = await starting;
  atEnd(() => started.close());
  return started;
}

/** A configuration directory that is removed at the end. */
export function testDirectory(): ConfigDirectory {
  const directory = createTestConfigDirectory();
  atEnd(directory.remove);
  return directory;
}
