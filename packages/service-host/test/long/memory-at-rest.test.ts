import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const loader = resolve(import.meta.dirname, '../../../repo-checks/bin/load-typescript.mjs');
const program = resolve(import.meta.dirname, '../fixtures/rest-after-work.ts');

it('the memory of a young generation that work let grow is returned at rest', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', loader, program]);
  const { grown, now } = JSON.parse(stdout) as Record<'grown' | 'now', number>;
  expect(now).toBeLessThanOrEqual(grown / 4);
});
