import { describe, expect, it } from 'vitest';
import { closingLine, errorLines, failureLines, tally } from '../bootstrap/test-tally.mjs';

const file = (status: string, ...results: readonly string[]) => ({
  status,
  assertionResults: results.map((result) => ({ status: result })),
});

describe('the tally of a test run', () => {
  const good = file('passed', 'passed', 'passed');
  it.each([
    ['all files', [good, file('failed', 'failed', 'passed')], { passed: 3, failed: 1 }],
    ['a file that could not be loaded', [good, file('failed')], { passed: 2, failed: 1 }],
    ['a file whose hook failed', [file('failed', 'passed')], { passed: 1, failed: 1 }],
    ['a run that ends badly', [good], { passed: 2, failed: 1, broken: true }],
  ])('counts %s', (_what, testResults, counts) => {
    expect(tally({ testResults }, 1)).toEqual({ broken: false, ...counts });
  });

  it('counts a run without a report, or without a test, as one failure', () => {
    expect(tally(undefined, 0)).toEqual({ passed: 0, failed: 1, broken: true });
    expect(tally({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 1, broken: true });
  });

  it('is one line', () => {
    expect(closingLine({ passed: 12, failed: 0 })).toBe('12 passed, 0 failed');
  });
});

describe('the failures of a test run', () => {
  const failed = (message: string) => ({
    status: 'failed',
    fullName: 'a list is sorted',
    failureMessages: [message],
  });

  it('have a line each, with the file, the test and the start of the message', () => {
    const results = [
      failed(`AssertionError:\n  expected 1${' '.repeat(9)}to be 2`),
      failed('x'.repeat(9999)),
    ];
    const report = {
      testResults: [
        { name: '/clone/packages/a/test/b.test.ts', status: 'failed', assertionResults: results },
        { name: '/clone/packages/c/test/d.test.ts', status: 'passed', assertionResults: [] },
      ],
    };
    expect(failureLines('/clone', report)).toEqual([
      'Failed: packages/a/test/b.test.ts: a list is sorted: AssertionError: expected 1 to be 2',
      `Failed: packages/a/test/b.test.ts: a list is sorted: ${'x'.repeat(447)}`,
    ]);
  });

  it('name a file that failed outside its tests', () => {
    const report = {
      testResults: [{ name: '/clone/apps/a/b.test.ts', status: 'failed', message: 'no module x' }],
    };
    expect(failureLines('/clone', report)).toEqual(['Failed: apps/a/b.test.ts: no module x']);
  });

  it('have a line for each error outside of tests', () => {
    expect(errorLines(['Error: a worker\n    at x'])).toEqual([
      'Failed: outside of tests: Error: a worker at x',
    ]);
  });

  it('are none without a report', () => {
    expect(failureLines('/clone', undefined)).toEqual([]);
  });
});
