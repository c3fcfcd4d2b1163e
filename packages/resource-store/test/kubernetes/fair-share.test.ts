import { expect, it } from 'vitest';
import { selectFairShare } from '../../src/kubernetes/referenced-objects.ts';

const groupOf = (item: string): string => item.slice(0, 1);

it('returns all items when they are few', () => {
  expect(selectFairShare(['a1', 'a2', 'b1'], 3, groupOf)).toEqual(['a1', 'a2', 'b1']);
});

it('takes items from each group in turn, so that a large group displaces no small one', () => {
  const items = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2'];
  expect(selectFairShare(items, 5, groupOf)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2']);
  expect(selectFairShare(items, 2, groupOf)).toEqual(['a1', 'b1']);
});

it('takes the groups of the prototype as others', () => {
  expect(selectFairShare(['__proto__', 'a', 'constructor'], 2, (item) => item)).toEqual([
    '__proto__',
    'a',
  ]);
});
