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

const FAILURE_LENGTH = 500;

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, FAILURE_LENGTH);

const failedTestsOf = (file, { assertionResults = [] }) =>
  assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages = [] }) =>
      oneLine(`Failed: ${file}: ${fullName}: ${failureMessages[0] ?? ''}`),
    );

/**
 * Returns a line for each failure of a report: `Failed: FILE: TEST: MESSAGE`. A file that failed outside its tests has one line
 * without a test.
 * @param root the folder that the paths of files count from
 */
export const failureLines = (root, report) =>
  (report?.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .flatMap((result) => {
      const file = relative(root, result.name).split(sep).join('/');
      const lines = failedTestsOf(file, result);
      return lines.length > 0 ? lines : [oneLine(`Failed: ${file}: ${result.message ?? ''}`)];
    });

/** Returns a line for each error that was thrown outside of tests: `Failed: outside of tests: ERROR`. */
export const errorLines = (errors) =>
  errors.map((error) => oneLine(`Failed: outside of tests: ${error}`));

/** Returns the line that ends every test run. */
export const closingLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`;
