import { createMemoryStore } from '@gateway/state-store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MinuteBudget } from '../../src/broker/minute-budget.ts';

/** The budgets of two processes that share a store. */
const processes = (perMinute: number) => {
  const clock = { now: 0 };
  const now = (): number => clock.now;
  const store = createMemoryStore({ now });
  onTestFinished(() => store.close());
  const budget = (): MinuteBudget => new MinuteBudget(store, 'registration', perMinute, now);
  return { clock, store, first: budget(), second: budget() };
};

const taken = async (budget: MinuteBudget, times: number): Promise<number> => {
  const results = await Promise.all(Array.from({ length: times }, () => budget.take()));
  return results.filter((isWithin) => isWithin).length;
};

describe('a budget per minute', () => {
  it('is one for all processes of a store', async () => {
    const { first, second } = processes(7);
    const results = await Promise.all([taken(first, 20), taken(second, 20)]);
    expect(results[0] + results[1]).toBe(7);
  });

  it('is used up to its last event, also when its shares are not equal', async () => {
    const { first, second } = processes(119);
    expect(await taken(first, 100)).toBe(100);
    // The last share of the first process has 3 events and is not divided.
    expect(await taken(second, 100)).toBe(17);
    expect(await taken(first, 100)).toBe(2);
  });

  it('begins again with the next minute', async () => {
    const { clock, first, second } = processes(5);
    expect(await taken(first, 9)).toBe(5);
    clock.now = 59_999;
    expect(await taken(second, 9)).toBe(0);
    clock.now = 60_000;
    expect(await taken(second, 9)).toBe(5);
    expect(await taken(first, 9)).toBe(0);
  });

  it('of each process is limited while the store is away', async () => {
    const { store, first, second } = processes(5);
    await store.close();
    expect(await taken(first, 9)).toBe(5);
    expect(await taken(second, 9)).toBe(5);
  });
});
