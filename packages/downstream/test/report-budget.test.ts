import { expect, it } from 'vitest';
import { ReportBudget } from '../src/lists/trust/declared-tools.ts';

it('allows 100 reports at once for each server, and one more every 6 s', () => {
  let now = 1_000_000;
  const budget = new ReportBudget(() => now);
  expect([budget.take('a', 70), budget.take('a', 70), budget.take('b', 1)]).toEqual([70, 30, 1]);
  now += 5_999;
  expect(budget.take('a', 5)).toBe(0);
  now += 1;
  expect(budget.take('a', 5)).toBe(1);
  now += 600_000;
  expect(budget.take('a', 500)).toBe(100);
});

it('allows what is left when the clock is set back', () => {
  let now = 1_000_000;
  const budget = new ReportBudget(() => now);
  expect(budget.take('a', 99)).toBe(99);
  now -= 500_000;
  expect(budget.take('a', 5)).toBe(1);
  now += 6_000;
  expect(budget.take('a', 5)).toBe(1);
});
