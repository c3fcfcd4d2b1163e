import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

it('the generated files are current (`pnpm gen` writes them)', async () => {
  const stdout = await new Promise<string>((done) => {
    const args = ['packages/repo-checks/bin/gen.mjs', '--check'];
    execFile(process.execPath, args, { cwd: root }, (_error, text) => done(text));
  });
  expect(stdout).toBe('');
});
