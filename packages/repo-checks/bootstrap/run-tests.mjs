import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnvironment } from './pnpm.mjs';
import { preparePeers } from './real-peers.mjs';
import { runChild } from './run-child.mjs';
import { closingLine, errorLines, failureLines, tally } from './test-tally.mjs';

/** Reads a JSON file that a run wrote, and removes it. @returns undefined without one */
const takeJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
};

const runVitest = async (root, args, env) => {
  const folder = join(root, 'node_modules/.cache/gateway');
  const file = join(folder, `tests-${process.pid}.json`);
  const errors = join(folder, `test-errors-${process.pid}.json`);
  const code = await runChild({
    command: process.execPath,
    args: [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(import.meta.dirname, 'error-reporter.mjs')}`,
      `--outputFile.json=${file}`,
      ...args,
    ],
    cwd: root,
    env: { ...env, TEST_ERRORS: errors },
  });
  const report = takeJson(file);
  const unhandled = takeJson(errors) ?? [];
  return { code, report, failures: [...failureLines(root, report), ...errorLines(unhandled)] };
};

/** Selects the long projects, and the image that is installed and compiled from nothing. */
const LONG_TESTS = { TESTS: 'long', IMAGE_TREE: 'full' };

/** Ends a run with its failures and the closing line: a reader of a long output finds both at its end. */
const finish = (outcome, code, failures) => {
  for (const line of failures) process.stdout.write(`${line}\n`);
  if (outcome.broken)
    process.stdout.write(
      `Failed: the test runner ended with exit code ${code} and reported no failed test.\n`,
    );
  process.stdout.write(`${closingLine(outcome)}\n`);
  return outcome.failed > 0 ? Math.max(code, 1) : 0;
};

/** Names the tests that this machine cannot run. Where the tests are a gate, each of their files is a failure. */
const reportNotRun = (files) => {
  for (const { file, reason } of files) process.stdout.write(`Not run: ${file}: ${reason}\n`);
  return process.env['CI'] === 'true' ? files.length : 0;
};

/**
 * Runs tests and prints the closing line `N passed, N failed`.
 * @param args arguments for vitest, such as a path
 * @param long runs the long proofs instead of the quick tests
 * @returns the exit code: 0 only when everything passed
 */
export const runTests = async (root, args, { long = false } = {}) => {
  const tools = toolEnvironment();
  const peers = long ? await preparePeers(root, args, tools) : { missing: [], files: [] };
  const env = {
    ...tools,
    ...(long ? LONG_TESTS : {}),
    MISSING_PEERS: peers.missing.join(','),
  };
  const { code, report, failures } = await runVitest(root, args, env);
  const { passed, failed, broken } = tally(report, code);
  const outcome = { passed, failed: failed + reportNotRun(peers.files), broken };
  return finish(outcome, code, failures);
};
