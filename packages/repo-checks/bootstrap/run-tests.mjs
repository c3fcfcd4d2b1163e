import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnvironment } from './pnpm.mjs';
import { preparePeers } from './real-peers.mjs';
import { runChild } from './run-child.mjs';
import { openTestCache } from './test-cache.mjs';
import { testFolders } from './test-projects.mjs';
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

const isFailed = ({ failed }) => failed > 0;

/** Ends a run with its failures and the closing line: a reader of a long output finds both at its end. */
const finish = (outcome, code, failures) => {
  for (const line of failures) process.stdout.write(`${line}\n`);
  if (outcome.broken)
    process.stdout.write(
      `Failed: the test runner ended with exit code ${code} and reported no failed test.\n`,
    );
  process.stdout.write(`${closingLine(outcome)}\n`);
  return isFailed(outcome) ? Math.max(code, 1) : 0;
};

/** Names the tests that this machine cannot run. Where the tests are a gate, each of their files is a failure. */
const reportNotRun = (files) => {
  for (const { file, reason } of files) process.stdout.write(`Not run: ${file}: ${reason}\n`);
  return process.env['CI'] === 'true' ? files.length : 0;
};

const withFailures = (outcome, count) => ({ ...outcome, failed: outcome.failed + count });

/** Leaves out the packages with tests that were not run: their record would say that they passed. */
const withoutPackagesOf = (root, report, files) => {
  const folders = files.map(({ file }) => join(root, file.split('/').slice(0, 2).join('/'), '/'));
  const testResults = (report?.testResults ?? []).filter(
    ({ name }) => !folders.some((folder) => name.startsWith(folder)),
  );
  return { ...report, testResults };
};

/** Runs the packages that changed since they passed. The closing line counts the others too. */
const runChanged = async (root, { long, env, notRun }) => {
  const cache = await openTestCache(root, long ? 'long' : 'quick');
  const folders = testFolders(root, { long });
  const changed = folders.filter((folder) => !cache.passed.has(folder));
  const unchanged = folders.filter((folder) => cache.passed.has(folder));
  const cached = unchanged.reduce((sum, folder) => sum + cache.passed.get(folder), 0);
  if (unchanged.length > 0)
    process.stdout.write(
      `Unchanged since they passed and not run again (\`--force\` runs them): ${unchanged.length} packages, ${cached} tests.\n`,
    );
  const unrun = reportNotRun(notRun);
  if (changed.length === 0) return finish({ passed: cached, failed: 0, broken: false }, 0, []);
  const selected = unchanged.length === 0 ? [] : changed.map((folder) => `${folder}/`);
  const { code, report, failures } = await runVitest(root, selected, env);
  cache.record(withoutPackagesOf(root, report, notRun));
  const outcome = tally(report, code);
  return finish(
    withFailures({ ...outcome, passed: outcome.passed + cached }, unrun),
    code,
    failures,
  );
};

/**
 * Runs tests and prints the closing line `N passed, N failed`.
 * @param args arguments for vitest, such as a path; without any, packages that did not change since they passed are not run again,
 *   unless `--force` or the environment variable `CI` says so
 * @param long runs the long proofs instead of the quick tests
 * @returns the exit code: 0 only when everything passed
 */
export const runTests = async (root, args, { long = false } = {}) => {
  const filters = args.filter((argument) => argument !== '--force');
  const tools = toolEnvironment();
  const peers = long ? await preparePeers(root, filters, tools) : { missing: [], files: [] };
  const env = {
    ...tools,
    ...(long ? LONG_TESTS : {}),
    MISSING_PEERS: peers.missing.join(','),
  };
  const isForced = filters.length < args.length || process.env['CI'] === 'true';
  if (filters.length === 0 && !isForced)
    return runChanged(root, { long, env, notRun: peers.files });
  const { code, report, failures } = await runVitest(root, filters, env);
  return finish(withFailures(tally(report, code), reportNotRun(peers.files)), code, failures);
};
