import type { ExecutionRecord } from '@gateway/crd-schemas';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ExecutionRecords, type RecordTimer, type RetentionLimits } from '../../src/index.ts';
import { DAY, NOW, storedRecord as record } from './builders.ts';
import { SharedTestBlobs } from './shared-blobs.ts';

const running = (id: string): ExecutionRecord => record(id, { status: 'inprogress' });

const TIMER: RecordTimer = {
  elapsed: () => performance.now(),
  after: (delayMs, action) => {
    const timeout = setTimeout(action, delayMs);
    return () => clearTimeout(timeout);
  },
};

const open = (
  storage: SharedTestBlobs,
  {
    limits = {},
    leads = true,
  }: { readonly limits?: Partial<RetentionLimits>; readonly leads?: boolean } = {},
) => {
  const warnings: string[] = [];
  const clock = { now: NOW };
  const records = new ExecutionRecords({
    ...{ blobs: storage.process({ leads }), limits, now: () => clock.now },
    timer: TIMER,
    warn: (text) => void warnings.push(text),
  });
  const all = (query: object = {}) =>
    records
      .list({ limit: 1000, offset: 0, ...query })
      .executions.map(({ execution_id, status }) => `${execution_id} ${status}`);
  return { records, warnings, clock, all };
};

/** Lets times pass. */
const pass = async (ms: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(ms);
};

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

const two = async (options: Parameters<typeof open>[1] = {}) => {
  const storage = new SharedTestBlobs();
  const [first, second] = [open(storage, options), open(storage, { ...options, leads: false })];
  await Promise.all([first.records.load(), second.records.load()]);
  return { storage, first, second };
};

describe('runs of several processes', () => {
  it('are listed and returned by each, also while they are in progress', async () => {
    const { first, second } = await two();
    void first.records.put(running('a'));
    await pass(1_000);
    expect(second.all()).toEqual(['a inprogress']);
    const ended = record('a', { result: [1], started_by: { issuer: 'i', subject: 'ann' } });
    void first.records.put(ended);
    await pass(1_000);
    expect(second.all()).toEqual(['a completed']);
    expect(await second.records.get('a')).toEqual(ended);
    expect(second.all({ startedBy: { issuer: 'i', subject: 'ann' } })).toEqual(['a completed']);
    expect(second.all({ startedBy: { issuer: 'i', subject: 'bob' } })).toEqual([]);
  });

  it('are returned before they are listed', async () => {
    const { storage, first } = await two();
    const stored = record('late');
    storage.texts.set('late', { text: JSON.stringify(stored), summary: '' });
    expect(await first.records.get('late')).toEqual(stored);
    expect(await first.records.get('never')).toBeUndefined();
  });

  it('are written once when they last less than a second', async () => {
    const { storage, first } = await two();
    void first.records.put(running('a'));
    await pass(999);
    void first.records.put(record('a'));
    await pass(5_000);
    expect(storage.writes.map(({ status }) => status)).toEqual(['completed']);
  });

  it('are written at most once in a second', async () => {
    const { storage, first } = await two();
    void first.records.put(running('a'));
    await pass(1_001);
    for (const result of [1, 2, 3]) {
      void first.records.put(record('a', { result }));
      await pass(300);
    }
    await pass(5_000);
    const times = storage.writes.map(({ at }) => at);
    expect(storage.writes.map(({ status }) => status)).toEqual(['inprogress', 'completed']);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
    expect(await first.records.get('a')).toMatchObject({ result: 3 });
  });

  it('end as failed when their process has ended, once', async () => {
    const { storage, first, second } = await two();
    void first.records.put(running('a'));
    await pass(1_000);
    storage.end('a');
    storage.end('a');
    await pass(1_000);
    expect(second.all()).toEqual(['a failed']);
    expect(storage.writes.map(({ status }) => status)).toEqual(['inprogress', 'failed']);
    expect(await second.records.get('a')).toMatchObject({
      error: 'the process that ran this workflow ended before the workflow did',
    });
  });

  it('are forgotten by each when somebody deletes them, and come back at their end', async () => {
    const { storage, first, second } = await two();
    void first.records.put(running('a'));
    await pass(1_000);
    storage.delete('a');
    expect([first.all(), second.all()]).toEqual([[], []]);
    void first.records.put(record('a'));
    await pass(1_000);
    expect([first.all(), second.all()]).toEqual([['a completed'], ['a completed']]);
  });

  it('stay when their summary is not one, with a warning', async () => {
    const { storage, first } = await two();
    for (const summary of ['', '{}', '[]', '{"step_count":-1,"bytes":0}'])
      storage.texts.set('a', { text: '', summary });
    first.records.sweep();
    expect(first.all()).toEqual([]);
    expect(first.warnings).toEqual([expect.stringContaining('is not a valid record')]);
  });
});

describe('records that several processes retain', () => {
  it('are the newest 3 of all, and the leader removes the others', async () => {
    const { storage, first, second } = await two({ limits: { maxRecords: 3 } });
    for (const id of ['a', 'b', 'c'])
      void second.records.put(record(id, { at: NOW + id.charCodeAt(0) }));
    await pass(1_000);
    expect([...storage.texts.keys()].toSorted()).toEqual(['a', 'b', 'c']);
    void second.records.put(record('d', { at: NOW + 1_000 }));
    await pass(1_000);
    expect([...storage.texts.keys()].toSorted()).toEqual(['b', 'c', 'd']);
    expect([first.all(), second.all()]).toEqual([
      ['d completed', 'c completed', 'b completed'],
      ['d completed', 'c completed', 'b completed'],
    ]);
  });

  it('are those of 21 days', async () => {
    const { storage, first } = await two();
    void first.records.put(record('just', { at: NOW - 21 * DAY }));
    void first.records.put(record('old', { at: NOW - 21 * DAY - 1 }));
    await pass(1_000);
    expect([...storage.texts.keys()]).toEqual(['just']);
    first.clock.now += 1;
    first.records.sweep();
    await pass(1_000);
    expect([...storage.texts.keys()]).toEqual([]);
  });

  it('are removed by a new leader too', async () => {
    const { storage, second } = await two({ limits: { maxRecords: 1 } });
    for (const id of ['a', 'b'])
      void second.records.put(record(id, { at: NOW + id.charCodeAt(0) }));
    const leader = open(storage, { limits: { maxRecords: 1 } });
    await leader.records.load();
    await pass(1_000);
    expect([...storage.texts.keys()]).toEqual(['b']);
  });
});

describe('a storage of several processes that fails', () => {
  it('gets everything later: one attempt at a time, after 1, 2 and 4 seconds', async () => {
    const { storage, first } = await two();
    storage.failure = new Error('the API is away');
    for (const id of ['a', 'b', 'c']) void first.records.put(record(id));
    await pass(0);
    const before = storage.writes.length;
    await pass(1_000 + 2_000 + 4_000);
    expect(storage.writes.length - before).toBe(3);
    expect(first.all()).toHaveLength(3);
    storage.failure = undefined;
    await pass(8_000 + 1_000);
    expect([...storage.texts.keys()].toSorted()).toEqual(['a', 'b', 'c']);
    expect(first.warnings).toEqual([
      'Records of workflow executions cannot be stored and are kept in memory: the API is away',
    ]);
  });

  it('is not asked again for a record that it refuses, which stays in memory', async () => {
    const { storage, first } = await two();
    storage.failure = Object.assign(new Error('too large'), { isFinal: true });
    void first.records.put(record('a'));
    await pass(120_000);
    expect(storage.writes).toHaveLength(1);
    expect(await first.records.get('a')).toEqual(record('a'));
  });

  it('is warned of once per outage', async () => {
    const { storage, first } = await two();
    const outage = (): void => storage.interrupt(new Error('the API is away'));
    outage();
    storage.recover();
    first.clock.now += 60_000;
    outage();
    outage();
    expect(first.warnings).toEqual([
      'Stored records of workflow executions cannot be listed: the API is away',
      'Stored records of workflow executions cannot be listed: the API is away',
    ]);
  });

  it('does not delay the end of the process: one more attempt is made', async () => {
    const { storage, first } = await two();
    storage.failure = new Error('the API is away');
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) void first.records.put(record(id));
    await pass(0);
    const before = storage.writes.length;
    await first.records.settle();
    expect(storage.writes.length - before).toBe(1);
  });
});
