import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Answer, undecidedDifferences } from './compare-answers.ts';

it('renders what Go 1.26 and Sprig 3.3.0 render', () => {
  const stored = readFileSync(new URL('answers.json', import.meta.url), 'utf8');
  const answers = JSON.parse(stored) as readonly (readonly [string, Answer])[];
  expect(answers.length).toBeGreaterThan(2000);
  expect(undecidedDifferences(answers)).toEqual([]);
});
