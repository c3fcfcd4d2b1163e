import { describe, expect, it, onTestFinished } from 'vitest';
import { LedgerPersistence, ReportBudget } from '../src/lists/trust/declared-tools.ts';
import type { DeclaredToolsStore } from '../src/lists/trust/declared-tools.ts';
import type { DownstreamLogEvent } from '../src/wire/log-event.ts';
import { eventually } from './harness/downstream.ts';

const EMPTY = '{"version":1,"servers":[\n\n]}\n';

const keep = (store: Partial<DeclaredToolsStore> | undefined, times: object = {}) => {
  const problems: DownstreamLogEvent[] = [];
  const written: string[] = [];
  let text = 'a';
  const full: DeclaredToolsStore = {
    read: () => Promise.resolve(undefined),
    write: (one) => Promise.resolve(void written.push(one)),
    ...store,
  };
  const report = (problem: DownstreamLogEvent): unknown => problems.push(problem);
  const bounds = { readMs: 50, delayMs: 1, intervalMs: 1, ...times };
  const keeper = new LedgerPersistence(store && full, () => text, report, bounds);
  onTestFinished(() => keeper.close());
  const note = (next: string): void => {
    text = next;
    keeper.schedule();
  };
  return { keeper, note, problems, written };
};

const unreadable = (reason: string, kept: boolean) => {
  const event = 'declared-tools.unreadable';
  return { level: 'warn', event, reason, kept };
};

describe('reading', () => {
  it('finds nothing before the first writing, and without a store', async () => {
    expect(await keep({}).keeper.read()).toEqual([]);
    expect(await keep(undefined).keeper.read()).toEqual([]);
    expect(await keep({ read: () => Promise.resolve(EMPTY) }).keeper.read()).toEqual([]);
  });

  it('reports a text of an unknown format, and replaces it', async () => {
    const { keeper, note, problems, written } = keep({ read: () => Promise.resolve('{"torn') });
    expect(await keeper.read()).toEqual([]);
    expect(problems).toEqual([unreadable('the text has an unknown format', false)]);
    note('b');
    expect([await keeper.flush(), written]).toEqual([true, ['b']]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('EACCES')), 'EACCES'],
    ['hangs', () => new Promise<never>(() => undefined), 'it was not read within 50 ms'],
  ])('reports when it %s, and does not overwrite the text', async (_how, read, reason) => {
    const { keeper, note, problems, written } = keep({ read });
    expect(await keeper.read()).toEqual([]);
    expect(problems).toEqual([unreadable(reason, true)]);
    note('b');
    expect([await keeper.flush(), written]).toEqual([false, []]);
  });
});

describe('writing', () => {
  it('happens soon, not for every change, and again when more has changed', async () => {
    const { note, written } = keep({}, { delayMs: 5, intervalMs: 5 });
    for (let index = 0; index < 100; index += 1) note(`v${index}`);
    await eventually('it is written', () => written.length > 0);
    expect(written).toEqual(['v99']);
    note('c');
    await eventually('it is written again', () => written.length === 2);
    expect(written).toEqual(['v99', 'c']);
  });

  it('never runs concurrently, and the last text is written at the end', async () => {
    let running = 0;
    let most = 0;
    const written: string[] = [];
    const write = async (text: string): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      written.push(text);
      running -= 1;
    };
    const { keeper, note } = keep({ write }, { intervalMs: 10_000 });
    note('b');
    await Promise.all([keeper.flush(), keeper.flush()]);
    note('c');
    await keeper.close();
    expect([most, written]).toEqual([1, ['b', 'c']]);
  });

  it('that fails is reported once, retried, and reported when it succeeds again', async () => {
    const written: string[] = [];
    let isFull = true;
    const write = (text: string): Promise<void> =>
      isFull ? Promise.reject(new Error('ENOSPC')) : Promise.resolve(void written.push(text));
    const { keeper, note, problems } = keep({ write });
    note('b');
    expect([await keeper.flush(), await keeper.flush()]).toEqual([false, false]);
    isFull = false;
    await eventually('it is written', () => written.length === 1);
    expect(problems).toEqual([
      { level: 'warn', event: 'declared-tools.unsaved', reason: 'ENOSPC' },
      { level: 'info', event: 'declared-tools.saved' },
    ]);
    expect(await keeper.flush()).toBe(true);
  });
});

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
