import { expect, it } from 'vitest';
import { formatError } from '../src/index.ts';

it('says in one sentence why a workflow is not run', () => {
  expect(formatError({ code: 'workflow.unknown', name: 'digest' })).toBe(
    'workflow digest not found',
  );
  expect(
    formatError({ code: 'workflow.unavailable', name: 'digest', missing: ['x_a', 'x_b'] }),
  ).toBe('workflow digest is not available (missing required tools): x_a, x_b');
});

it('names ten missing tools at the most', () => {
  const missing = Array.from({ length: 12 }, (_, at) => `x_${at}`);
  expect(formatError({ code: 'workflow.unavailable', name: 'digest', missing })).toBe(
    'workflow digest is not available (missing required tools): x_0, x_1, x_2, x_3, x_4, x_5, x_6, x_7, x_8, x_9 and 2 more',
  );
});
