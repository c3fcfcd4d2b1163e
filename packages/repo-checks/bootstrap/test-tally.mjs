import { relative, sep } from 'node:path';

const countsOf = (files) => {
  const results = files.flatMap((file) => file.assertionResults ?? []);
  const failedTests = results.filter(({ status }) => status === 'failed').length;
  const failedFiles = files.filter(
    ({ status, assertionResults = [] }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  ).length;
  const passed = results.filter(({ status }) => status === 'passed').length;
  return { passed, failed: failedTests + failedFiles };
};

/**
 * Counts a vitest JSON report. A file that fails outside its tests (a broken import, a failing hook) is one failure, and so is
 * a runner that ends badly without a failed test, or that leaves no report at all.
 * @param report the parsed report, or undefined when there is none
 * @param exitCode of the runner
 */
export const tally = (report, exitCode) => {
  const { passed, failed } = countsOf(report?.testResults ?? []);
  const broken = failed === 0 && (report === undefined || exitCode !== 0 || passed === 0);
  return { passed, failed: broken ? 1 : failed, broken };
};

/** Returns the counts of each package in a report, by its folder: `packages/catalog`. */
export const countsByFolder = (root, report) => {
  const files = Map.groupBy(report?.testResults ?? [], ({ name }) =>
    relative(root, name).split(sep).slice(0, 2).join('/'),
  );
  return new Map([...files].map(([folder, its]) => [folder, countsOf(its)]));
};

/** Returns the line that ends every test run. */
export const closingLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`;
