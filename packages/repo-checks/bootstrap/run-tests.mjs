import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toolEnvironment } from './pnpm.mjs';
import { preparePeers } from './real-peers.mjs';
import { runChild } from './run-child.mjs';
import { openTestCache } from './test-cache.mjs';
import { testProjects } from './test-projects.mjs';
import { closingLine, tally } from './test-tally.mjs';

const readReport = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

const runVitest = async (root, args, env) => {
  const file = join(root, `node_modules/.cache/gateway/tests-${process.pid}.json`);
  const code = await runChild({
    command: process.execPath,
    args: [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...args,
    ],
    cwd: root,
    env,
  });
  const report = readReport(file);
  rmSync(file, { force: true });
  return { code, report };
};

/** Selects the long projects, and the image that is installed and compiled from nothing. */
const LONG_TESTS = { TESTS: 'long', IMAGE_TREE: 'full' };

const isFailed = ({ failed }) => failed > 0;

const finish = (outcome, code) => {
  if (outcome.broken)
    process.stdout.write(
      `The test runner ended with exit code ${code} and reported no failed test.\n`,
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
  const projects = testProjects(root, { long });
  const changed = projects.filter(({ folder }) => !cache.passed.has(folder));
  const unchanged = new Set(
    projects.map(({ folder }) => folder).filter((folder) => cache.passed.has(folder)),
  );
  const cached = [...unchanged].reduce((sum, folder) => sum + cache.passed.get(folder), 0);
  if (unchanged.size > 0)
    process.stdout.write(
      `Unchanged since they passed and not run again (\`--force\` runs them): ${unchanged.size} packages, ${cached} tests.\n`,
    );
  const unrun = reportNotRun(notRun);
  if (changed.length === 0) return finish({ passed: cached, failed: 0, broken: false }, 0);
  const selected = unchanged.size === 0 ? [] : changed.map(({ name }) => `--project=${name}`);
  const { code, report } = await runVitest(root, selected, env);
  cache.record(withoutPackagesOf(root, report, notRun));
  const outcome = tally(report, code);
  return finish(withFailures({ ...outcome, passed: outcome.passed + cached }, unrun), code);
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
  const { code, report } = await runVitest(root, filters, env);
  return finish(withFailures(tally(report, code), reportNotRun(peers.files)), code);
};
