import { describe, expect, it } from 'vitest';
import { SUBJECTS } from '../src/conformance/subject.ts';
import { summaryOf } from '../src/conformance/outcome.ts';

const subject = SUBJECTS.find(({ name }) => name === '2025')!;
const scenario = (name: string) =>
  ({ revision: '2025-11-25', side: 'server', name, scored: true }) as const;

const RESULT = {
  subject,
  outcomes: [
    { scenario: scenario('ping'), succeeded: 2, problems: [] },
    { scenario: scenario('tools-list'), succeeded: 0, problems: ['FAILURE a: why'] },
  ],
  errorOutput: 'warning: something',
};

const LINES = [
  '',
  '2025: 2025-11-25, the gateway before a server of 2025 over HTTP',
  '  ✓ ping (2 checks)',
  '  ✗ tools-list (0 checks)',
  '      FAILURE a: why',
];

describe('the summary', () => {
  it('has a line per scenario, the problems below, and the count', () => {
    expect(summaryOf([RESULT], false)).toEqual({
      lines: [...LINES, '', '1 scenarios passed, 1 failed.'],
      passed: 1,
      failed: 1,
    });
  });

  it('adds the messages of failed checks on request', () => {
    expect(summaryOf([RESULT], true).lines).toEqual([
      ...LINES,
      'warning: something',
      '',
      '1 scenarios passed, 1 failed.',
    ]);
    const good = { ...RESULT, outcomes: RESULT.outcomes.slice(0, 1) };
    expect(summaryOf([good], true).lines).not.toContain('warning: something');
  });
});
