import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');
const cruiser = resolve(
  import.meta.dirname,
  '../../node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
);
const OPTIONS = ['--config', '.dependency-cruiser.mjs', '--output-type', 'err'];

it('the import rules hold in this repository', async () => {
  const { code, output } = await new Promise<{ code: unknown; output: string }>((done) => {
    execFile(
      process.execPath,
      [cruiser, 'packages', 'apps', ...OPTIONS],
      { cwd: root },
      (error, stdout) => done({ code: error?.code, output: stdout }),
    );
  });
  expect(code, output).toBeUndefined();
});
