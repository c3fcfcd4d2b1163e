import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APP } from './gateway.ts';
import { atEnd } from './lifetime.ts';
import { startNode } from './process.ts';

/** A folder for files of a test, which the end removes. */
export const testFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-test-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/** How a program ended. */
export interface ProgramRun<Result> {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly result: Result;
}

/**
 * Runs a program of the application to its end.
 *
 * @param program its file and its arguments; `--json` is added
 * @param node options of Node
 * @returns its exit code, output and result
 */
export async function runForResult<Result>(
  [file = '', ...args]: readonly string[],
  node: readonly string[] = [],
): Promise<ProgramRun<Result>> {
  const json = join(testFolder(), 'result.json');
  const running = startNode([...node, join(APP, file), ...args, '--json', json]);
  const { code } = await running.exited;
  const [stdout, stderr] = [running.stdout.join('\n'), running.stderr.join('\n')];
  return { ...{ code, stdout, stderr }, result: JSON.parse(readFileSync(json, 'utf8')) as Result };
}
