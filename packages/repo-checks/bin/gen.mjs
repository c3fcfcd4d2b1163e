#!/usr/bin/env node
/**
 * `pnpm gen`: writes every generated file. With `--check` writes nothing and fails when one is out of date.
 */
import { resolve } from 'node:path';
import './load-typescript.mjs';

const { findStaleFiles } = await import('../src/generated-files.ts');

const root = resolve(import.meta.dirname, '../../..');
const check = process.argv.includes('--check');
const stale = await findStaleFiles(root, !check);

for (const path of stale) process.stdout.write(`${check ? 'out of date' : 'written'}: ${path}\n`);
if (check && stale.length > 0) {
  process.stdout.write('Run `pnpm gen` and commit the result.\n');
  process.exitCode = 1;
}
