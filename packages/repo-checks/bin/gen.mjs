#!/usr/bin/env node
/**
 * `pnpm gen`: writes every generated file. With `--check` writes nothing and fails when one is out of date.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import './load-typescript.mjs';

const { findStaleFiles } = await import('../src/generated-files.ts');

const root = resolve(import.meta.dirname, '../../..');
const check = process.argv.includes('--check');
const stale = await findStaleFiles(root, !check);
const isSecondPass = process.argv.includes('--second-pass');

for (const path of stale) process.stdout.write(`${check ? 'out of date' : 'written'}: ${path}\n`);
if (check && stale.length > 0) {
  process.stdout.write('Run `pnpm gen` and commit the result.\n');
  process.exitCode = 1;
}

// This process has loaded the old text of a source that it has written: only a new one can write what follows from it.
if (!check && !isSecondPass && stale.some((path) => path.includes('/src/'))) {
  const { status } = spawnSync(process.execPath, [import.meta.filename, '--second-pass'], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
