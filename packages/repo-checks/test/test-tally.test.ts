import { describe, expect, it } from 'vitest';
import { closingLine, tally } from '../bootstrap/test-tally.mjs';

const file = (status: string, ...results: readonly string[]) => ({
  status,
  assertionResults: results.map((result) => ({ status: result })),
});

describe('the tally of a test run', () => {
  it('counts passed and failed tests over all files', () => {
    const report = {
      testResults: [file('passed', 'passed', 'passed'), file('failed', 'failed', 'passed')],
    };
    expect(tally(report, 1)).toEqual({ passed: 3, failed: 1, broken: false });
  });

  it('counts a file that could not be loaded as one failure', () => {
    expect(tally({ testResults: [file('passed', 'passed'), file('failed')] }, 1)).toEqual({
      passed: 1,
      failed: 1,
      broken: false,
    });
  });

  it('counts a file whose hook failed after good tests as one failure', () => {
    expect(tally({ testResults: [file('failed', 'passed')] }, 1)).toEqual({
      passed: 1,
      failed: 1,
      broken: false,
    });
  });

  it('counts a run that ends badly without a failed test as one failure', () => {
    expect(tally({ testResults: [file('passed', 'passed')] }, 1)).toEqual({
      passed: 1,
      failed: 1,
      broken: true,
    });
  });

  it('counts a run without a report, or without a test, as one failure', () => {
    expect(tally(undefined, 0)).toEqual({ passed: 0, failed: 1, broken: true });
    expect(tally({ testResults: [] }, 0)).toEqual({ passed: 0, failed: 1, broken: true });
  });

  it('is one line', () => {
    expect(closingLine({ passed: 12, failed: 0 })).toBe('12 passed, 0 failed');
  });
});
