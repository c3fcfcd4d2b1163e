import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnvironment } from './pnpm.mjs';
import { runChild } from './run-child.mjs';
import { closingLine, tally } from './test-tally.mjs';

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/**
 * Runs all tests and prints the closing line `N passed, N failed`.
 * @param args more arguments for vitest, such as a path
 * @returns the exit code: 0 only when everything passed
 */
export const runTests = async (root, args) => {
  const report = join(root, `node_modules/.cache/gateway/tests-${process.pid}.json`);
  const code = await runChild({
    command: process.execPath,
    args: [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    cwd: root,
    env: toolEnvironment(),
  });
  const outcome = tally(readReport(report), code);
  rmSync(report, { force: true });
  if (outcome.broken)
    process.stdout.write(
      `The test runner ended with exit code ${code} and named no failed test.\n`,
    );
  process.stdout.write(`${closingLine(outcome)}\n`);
  return outcome.failed === 0 ? 0 : Math.max(code, 1);
};
