import { expect, it } from 'vitest';
import { formatProblem, FormProblems } from '../src/form/form-problems.tsx';
import { render } from './harness/render.tsx';

const linesOf = (count: number): readonly string[] => {
  const problems = Array.from({ length: count }, (_, at) => ({
    property: `.field${at}`,
    message: 'The field is required.',
    stack: '',
  }));
  const html = render(<FormProblems problems={problems} />);
  return [...html.matchAll(/<li[^>]*>(?:<[^>]*>)*([^<]+)/gu)].map(([, text = '']) => text);
};

it('names the field of a problem, and no field where it concerns the whole object', () => {
  const message = 'The field is required.';
  expect(formatProblem({ property: '.account.name', message, stack: '' })).toBe(
    'account.name: The field is required.',
  );
  expect(formatProblem({ property: '.', message, stack: '' })).toBe('The field is required.');
});

it('shows ten problems, and how many more there are', () => {
  expect(linesOf(10)).toHaveLength(10);
  expect(linesOf(12).slice(9)).toEqual(['field9: The field is required.', '2 more']);
  expect(linesOf(0)).toEqual([]);
});
