#!/usr/bin/env node
/**
 * `pnpm check`: every check that a change must pass.
 * Usage: check.mjs [--fast] [step ...]; `--fast` leaves the tests out, names run only those steps.
 */
import { resolve } from 'node:path';
import { steps } from '../check/steps.mjs';

const root = resolve(import.meta.dirname, '../../..');
const fast = process.argv.includes('--fast');
const names = process.argv.slice(2).filter((word) => word !== '--fast');

const all = steps(root);
const unknown = names.filter((name) => !all.some((step) => step.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `No such step: ${unknown.join(', ')}. Steps: ${all.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}

const chosen = all.filter(({ name, slow, fastOnly }) =>
  names.length > 0 ? names.includes(name) : fast ? !slow : !fastOnly,
);
const failed = [];
for (const { name, run } of chosen) {
  const before = performance.now();
  const { code, output } = await run().catch((error) => ({ code: 1, output: error.stack }));
  const seconds = ((performance.now() - before) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`);
  if (code === 0) continue;
  failed.push(name);
  process.stdout.write(`${output.trimEnd()}\n\n`);
}

process.stdout.write(
  failed.length === 0
    ? `All ${chosen.length} steps are fine.\n`
    : `Failed: ${failed.join(', ')}.\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
