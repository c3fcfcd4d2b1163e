/**
 * Counts a vitest JSON report. A file that fails outside its tests (a broken import, a failing hook) is one failure, and so is
 * a runner that ends badly without naming a failed test, or that leaves no report at all.
 * @param report the parsed report, or undefined when there is none
 * @param exitCode of the runner
 */
export const tally = (report, exitCode) => {
  const files = report?.testResults ?? [];
  const results = files.flatMap((file) => file.assertionResults ?? []);
  const passed = results.filter(({ status }) => status === 'passed').length;
  const failedTests = results.filter(({ status }) => status === 'failed').length;
  const failedFiles = files.filter(
    ({ status, assertionResults = [] }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  ).length;
  const failed = failedTests + failedFiles;
  const broken = failed === 0 && (report === undefined || exitCode !== 0 || passed === 0);
  return { passed, failed: broken ? 1 : failed, broken };
};

/** The line that ends every test run. */
export const closingLine = ({ passed, failed }) => `${passed} passed, ${failed} failed`;
