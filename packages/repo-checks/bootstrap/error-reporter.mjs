import { writeFileSync } from 'node:fs';

const isUnfinished = (module) => ['queued', 'pending'].includes(module.state());

const causeOf = ({ cause }) => (cause === undefined ? '' : ` (${cause.message ?? cause})`);

/**
 * A vitest reporter that writes what the JSON report lacks to the file in `TEST_ERRORS`, an array of texts: test files that a process
 * took with it when it crashed, and errors outside of tests.
 */
export default class ErrorReporter {
  onTestRunEnd(modules, errors) {
    const file = process.env['TEST_ERRORS'];
    if (file === undefined) return;
    const unfinished = modules
      .filter(isUnfinished)
      .map(({ moduleId }) => `${moduleId} did not end`);
    const texts = errors.map((error) => `${error.message}${causeOf(error)} ${error.stack ?? ''}`);
    writeFileSync(file, JSON.stringify([...unfinished, ...texts]));
  }
}
