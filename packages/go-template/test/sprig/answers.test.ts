import { expect, it } from 'vitest';
import { readAnswers, undecidedDifferences } from './compare-answers.ts';

it('renders what Go 1.26 and Sprig 3.3.0 render', () => {
  const answers = readAnswers();
  expect(answers.length).toBeGreaterThan(3000);
  expect(undecidedDifferences(answers)).toEqual([]);
});
