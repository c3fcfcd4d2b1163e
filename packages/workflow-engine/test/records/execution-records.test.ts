import type { ExecutionRecord } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import { ExecutionRecords, RETENTION_LIMITS, type RetentionLimits } from '../../src/index.ts';
import { fc, test } from '../fast-check.ts';
import { TestBlobs } from './blobs.ts';
import { DAY, NOW, stepRecord, storedRecord as record } from './builders.ts';

const open = (blobs?: TestBlobs, limits: Partial<RetentionLimits> = {}) => {
  const warnings: string[] = [];
  const clock = { now: NOW };
  const records = new ExecutionRecords({
    blobs,
    now: () => clock.now,
    warn: (text) => void warnings.push(text),
    limits,
  });
  const ids = () =>
    records.list({ limit: 1000, offset: 0 }).executions.map(({ execution_id }) => execution_id);
  return { records, warnings, clock, ids };
};

const openStorage = (limits: Partial<RetentionLimits> = {}) => {
  const blobs = new TestBlobs();
  return { blobs, ...open(blobs, limits) };
};

describe('records in memory', () => {
  it('are listed newest first, by the time at which they began', () => {
    const { records, ids } = open();
    void records.put(record('b', { at: NOW - 2 }));
    void records.put(record('d', { at: NOW }));
    void records.put(record('a', { at: NOW - 3 }));
    void records.put(record('c', { at: NOW - 2 }));
    expect(ids()).toEqual(['d', 'c', 'b', 'a']);
  });

  it('are listed with what a list says of them', () => {
    const { records } = open();
    const completed_at = '2026-06-01T00:00:00.005Z';
    const failed = { status: 'failed', error: 'no', completed_at } as const;
    void records.put(record('a', { ...failed, steps: [stepRecord()], result: 1 }));
    const { input: _input, steps: _steps, ...told } = record('a', failed);
    expect(told.started_at).toBe('2026-06-01T00:00:00.000Z');
    expect(records.list({ limit: 50, offset: 0 })).toEqual({
      executions: [{ ...told, step_count: 1 }],
      total: 1,
    });
  });

  it('are told apart by workflow, status and place', () => {
    const { records } = open();
    void records.put(record('a', { workflow_name: 'x' }));
    void records.put(record('b', { workflow_name: 'y', status: 'failed' }));
    void records.put(record('c', { workflow_name: 'x', status: 'failed' }));
    void records.put(record('d', { workflow_name: 'X' }));
    const page = (query: object) => {
      const { executions, total } = records.list({ limit: 50, offset: 0, ...query });
      return [executions.map(({ execution_id }) => execution_id).join(''), total];
    };
    const pages = [
      [{}, 'dcba', 4],
      [{ workflowName: 'x' }, 'ca', 2],
      [{ status: 'failed' }, 'cb', 2],
      [{ workflowName: 'x', status: 'failed' }, 'c', 1],
      [{ workflowName: 'z' }, '', 0],
      [{ status: 'inprogress' }, '', 0],
      [{ limit: 2, offset: 1 }, 'cb', 4],
      [{ limit: 2, offset: 3 }, 'a', 4],
      [{ offset: 1000 }, '', 4],
    ] as const;
    for (const [query, ids, total] of pages) expect(page(query)).toEqual([ids, total]);
  });

  it('take the place of what was known of the same run', async () => {
    const { records, ids } = open();
    void records.put(record('a', { status: 'inprogress' }));
    void records.put(record('b'));
    void records.put(record('a', { result: 1 }));
    expect(ids()).toEqual(['b', 'a']);
    expect(await records.get('a')).toEqual(record('a', { result: 1 }));
    expect(records.list({ limit: 50, offset: 0, status: 'inprogress' }).total).toBe(0);
  });

  it('are not found under another identity', async () => {
    const { records } = open();
    void records.put(record('a'));
    for (const id of ['b', '', '__proto__', 'constructor', '../a']) {
      expect(await records.get(id)).toBeUndefined();
    }
  });

  it('have nothing to load and nothing to wait for', async () => {
    const { records, ids } = open();
    void records.put(record('a'));
    await records.load();
    await records.settle();
    expect(ids()).toEqual(['a']);
  });
});

describe('what is forgotten', () => {
  it('is by default what began 21 days ago, and more than 10,000 runs', () => {
    expect(RETENTION_LIMITS).toEqual({
      maxRecordBytes: 262_144,
      maxFieldBytes: 32_768,
      maxAgeMs: 1_814_400_000,
      maxRecords: 10_000,
      maxTotalBytes: 1_073_741_824,
      maxMemoryBytes: 67_108_864,
    });
  });

  it('is too old, and what is just not too old stays', () => {
    const { records, clock, ids } = open();
    void records.put(record('a', { at: NOW }));
    void records.put(record('b', { at: NOW + 1 }));
    clock.now = NOW + 21 * DAY;
    records.sweep();
    expect(ids()).toEqual(['b', 'a']);
    clock.now += 1;
    records.sweep();
    expect(ids()).toEqual(['b']);
  });

  it('is the oldest of too many', () => {
    const { records, ids } = open(undefined, { maxRecords: 2 });
    void records.put(record('b', { at: NOW + 1 }));
    void records.put(record('c', { at: NOW + 2 }));
    void records.put(record('a', { at: NOW }));
    expect(ids()).toEqual(['c', 'b']);
    void records.put(record('d', { at: NOW + 3 }));
    expect(ids()).toEqual(['d', 'c']);
  });

  it.each(['maxTotalBytes', 'maxMemoryBytes'])('is the oldest of more than %s', async (limit) => {
    const { records, ids } = open(undefined, { [limit]: 5000 });
    for (const id of ['a', 'b', 'c']) void records.put(record(id, { result: 'x'.repeat(2000) }));
    expect(ids()).toEqual(['c', 'b']);
    expect(await records.get('a')).toBeUndefined();
  });

  const puts = fc.array(fc.record({ at: fc.nat(50), size: fc.nat(500), id: fc.nat(30) }), {
    maxLength: 80,
  });
  const bounds = fc.record({
    maxRecords: fc.integer({ min: 1, max: 10 }),
    maxTotalBytes: fc.integer({ min: 400, max: 4000 }),
  });

  test(
    'is never newer than what is kept, and what is kept fits',
    fc.tuple(puts, bounds),
    async ([given, limits]) => {
      const { records, ids } = open(undefined, limits);
      const last = new Map<string, ExecutionRecord>();
      for (const { at, size, id } of given) {
        // A run has one beginning.
        const before = last.get(`r${id}`);
        const put = record(`r${id}`, {
          at: before === undefined ? NOW + at : Date.parse(before.started_at),
          result: 'x'.repeat(size),
        });
        last.set(put.execution_id, put);
        void records.put(put);
      }
      const kept = ids();
      const bytes = kept.map((id) => Buffer.byteLength(JSON.stringify(last.get(id))));
      expect(kept.length).toBeLessThanOrEqual(limits.maxRecords);
      expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(limits.maxTotalBytes);
      const starts = kept.map((id) => last.get(id)!.started_at);
      expect([...starts].sort().reverse()).toEqual(starts);
      for (const id of kept) expect(await records.get(id)).toEqual(last.get(id));
    },
  );
});

describe('records in a storage', () => {
  it('are there once they settled, and read from there', async () => {
    const { blobs, records, warnings } = openStorage();
    void records.put(record('a', { result: { n: 1 } }));
    await records.settle();
    expect([...blobs.texts]).toEqual([['a', JSON.stringify(record('a', { result: { n: 1 } }))]]);
    expect(await records.get('a')).toEqual(record('a', { result: { n: 1 } }));
    blobs.texts.set('a', JSON.stringify(record('a', { result: { n: 2 } })));
    expect((await records.get('a'))?.result).toEqual({ n: 2 });
    expect(warnings).toEqual([]);
  });

  it('are read from memory until they are there', async () => {
    const { blobs, records } = openStorage();
    blobs.close();
    void records.put(record('a'));
    expect(await records.get('a')).toEqual(record('a'));
    expect(blobs.texts.size).toBe(0);
    blobs.open();
    await records.settle();
    expect(blobs.texts.size).toBe(1);
  });

  it('are written in their last state, one operation at a time for each', async () => {
    const { blobs, records } = openStorage();
    blobs.close();
    for (let run = 0; run < 20; run += 1)
      void records.put(record(`r${run}`, { status: 'inprogress' }));
    await Promise.resolve();
    await Promise.resolve();
    for (let run = 0; run < 20; run += 1) void records.put(record(`r${run}`, { result: 'done' }));
    blobs.open();
    await records.settle();
    expect(blobs.most).toEqual({ atOnce: 4, forOne: 1 });
    expect(blobs.texts.size).toBe(20);
    for (const text of blobs.texts.values()) expect(text).toContain('"result":"done"');
    const ofFirst = blobs.log.filter((line) => line.startsWith('write r0 '));
    expect(ofFirst).toEqual(['write r0 inprogress', 'write r0 completed']);
    const ofLast = blobs.log.filter((line) => line.startsWith('write r19 '));
    expect(ofLast).toEqual(['write r19 completed']);
  });

  it('are removed when they are forgotten, also while they are written', async () => {
    const { blobs, records, ids } = openStorage({ maxRecords: 1 });
    blobs.close();
    void records.put(record('a'));
    await Promise.resolve();
    await Promise.resolve();
    void records.put(record('b', { at: NOW + 1 }));
    blobs.open();
    await records.settle();
    expect(ids()).toEqual(['b']);
    expect([...blobs.texts.keys()]).toEqual(['b']);
    expect(blobs.log).toContain('remove a');
  });

  it('of a run in progress read as such as long as this process runs it', async () => {
    const { records } = openStorage();
    void records.put(record('a', { status: 'inprogress' }));
    await records.settle();
    expect((await records.get('a'))?.status).toBe('inprogress');
  });
});

describe('what earlier processes stored', () => {
  const INTERRUPTED = 'the process that ran this workflow ended before the workflow did';

  const stored = (...all: readonly ExecutionRecord[]): TestBlobs => {
    const blobs = new TestBlobs();
    for (const one of all) blobs.texts.set(one.execution_id, JSON.stringify(one));
    return blobs;
  };

  it('is listed after it was loaded', async () => {
    const { records, ids } = open(
      stored(record('a', { at: NOW - 5 }), record('b', { at: NOW - 3 })),
    );
    expect(ids()).toEqual([]);
    void records.put(record('c', { at: NOW - 4 }));
    await records.load();
    expect(ids()).toEqual(['b', 'c', 'a']);
    expect(await records.get('a')).toEqual(record('a', { at: NOW - 5 }));
  });

  it('has failed if it was in progress, and is not written again', async () => {
    const blobs = stored(record('a', { status: 'inprogress', duration_ms: 0 }), record('b'));
    const { records } = open(blobs);
    await records.load();
    const failed = record('a', { status: 'failed', duration_ms: 0, error: INTERRUPTED });
    expect(await records.get('a')).toEqual(failed);
    expect(records.list({ limit: 50, offset: 0, status: 'failed' }).executions).toMatchObject([
      { execution_id: 'a', error: INTERRUPTED },
    ]);
    expect((await records.get('b'))?.status).toBe('completed');
    await records.settle();
    expect(blobs.log).toEqual([]);
  });

  it('is listed by the user who started it', async () => {
    const ada = { issuer: 'https://issuer.test', subject: 'ada' };
    const { records } = open(stored(record('a', { started_by: ada }), record('b')));
    void records.put(record('c', { started_by: { ...ada, subject: 'grace' } }));
    void records.put(record('d', { started_by: ada }));
    await records.load();
    const listed = (startedBy: typeof ada) =>
      records.list({ limit: 50, offset: 0, startedBy }).executions.map((one) => one.execution_id);
    expect(listed(ada).toSorted()).toEqual(['a', 'd']);
    expect(listed({ ...ada, issuer: 'https://other.test' })).toEqual([]);
    expect(listed({ issuer: '', subject: '' })).toEqual([]);
  });

  it('does not take the place of what this process knows', async () => {
    const blobs = stored(record('a', { status: 'inprogress' }));
    const { records } = open(blobs);
    const loading = records.load();
    void records.put(record('a', { result: 'new' }));
    await loading;
    await records.settle();
    expect(await records.get('a')).toEqual(record('a', { result: 'new' }));
  });

  it('is forgotten by age and number, too', async () => {
    const all = Array.from({ length: 30 }, (_, at) => record(`r${at}`, { at: NOW - at * DAY }));
    const blobs = stored(...all);
    const { records, ids } = open(blobs, { maxRecords: 25 });
    await records.load();
    await records.settle();
    const kept = Array.from({ length: 22 }, (_, at) => `r${at}`);
    expect(ids()).toEqual(kept);
    expect([...blobs.texts.keys()].sort()).toEqual([...kept].sort());
  });

  it('is skipped, left alone and warned of once when it is no record', async () => {
    const blobs = stored(record('good'));
    blobs.texts.set('broken', '{"execution_id":');
    blobs.texts.set('foreign', '{"kind":"Deployment"}');
    blobs.texts.set('other-name', JSON.stringify(record('good-2')));
    blobs.texts.set('huge', `"${'x'.repeat(17_000_000)}"`);
    const { records, ids, warnings } = open(blobs);
    await records.load();
    await records.settle();
    expect(ids()).toEqual(['good']);
    expect(blobs.texts.size).toBe(5);
    expect(warnings).toEqual([
      'An object among the stored records of workflow executions is not a valid record and is ignored: huge',
    ]);
  });

  it('is gone when somebody else removed it', async () => {
    const blobs = stored(record('a'));
    const { records } = open(blobs);
    await records.load();
    blobs.texts.clear();
    expect(await records.get('a')).toBeUndefined();
  });
});

describe('a restart', () => {
  const runs = fc.array(fc.record({ id: fc.nat(15), ended: fc.boolean(), failed: fc.boolean() }), {
    maxLength: 40,
  });

  test('loses nothing of what was stored', runs, async (given) => {
    const blobs = new TestBlobs();
    const before = open(blobs, { maxRecords: 10 });
    for (const { id, ended, failed } of given) {
      const status = failed ? 'failed' : 'completed';
      void before.records.put(
        record(`r${id}`, { at: NOW + id, status: ended ? status : 'inprogress' }),
      );
    }
    await before.records.settle();
    expect(blobs.most.forOne).toBeLessThanOrEqual(1);
    const after = open(blobs, { maxRecords: 10 });
    await after.records.load();
    expect(after.ids()).toEqual(before.ids());
    expect([...blobs.texts.keys()].sort()).toEqual(before.ids().sort());
    for (const id of after.ids()) {
      const was = await before.records.get(id);
      const is = await after.records.get(id);
      expect(is?.status).toBe(was?.status === 'inprogress' ? 'failed' : was?.status);
    }
  });
});

describe('a storage that fails', () => {
  it('to write: everything stays in memory, with one warning, and is written later', async () => {
    const { blobs, records, warnings } = openStorage();
    blobs.broken = 'write';
    for (const id of ['a', 'b', 'c']) void records.put(record(id));
    await records.settle();
    expect(await records.get('b')).toEqual(record('b'));
    expect(warnings).toEqual([
      'Records of workflow executions cannot be stored and are kept in memory: write is broken',
    ]);
    blobs.broken = undefined;
    records.sweep();
    await records.settle();
    expect([...blobs.texts.keys()]).toEqual(['a', 'b', 'c']);
  });

  it('again after it recovered: warns again, at most once a minute', async () => {
    const { blobs, records, warnings, clock } = openStorage();
    const putWhile = async (id: string, broken: TestBlobs['broken']): Promise<number> => {
      blobs.broken = broken;
      void records.put(record(id));
      await records.settle();
      return warnings.length;
    };
    const counts: number[] = [];
    const steps = [
      [0, 'a', 'write'],
      [90_000, 'b', 'write'],
      [0, 'c', undefined],
      [0, 'd', 'write'],
      [0, 'e', undefined],
      [59_999, 'f', 'write'],
      [1, 'g', 'write'],
    ] as const;
    for (const [passed, id, broken] of steps) {
      clock.now += passed;
      counts.push(await putWhile(id, broken));
    }
    expect(counts).toEqual([1, 1, 1, 2, 2, 2, 3]);
  });

  it('to write for long: the oldest go, and the newest are read', async () => {
    const { blobs, records, ids } = openStorage({ maxMemoryBytes: 5000 });
    blobs.broken = 'write';
    for (let run = 0; run < 10; run += 1) {
      void records.put(record(`r${run}`, { at: NOW + run, result: 'x'.repeat(2000) }));
    }
    await records.settle();
    expect(ids()).toEqual(['r9', 'r8']);
  });

  it('after an older state was written: that is read again once the memory is full', async () => {
    const { blobs, records, ids } = openStorage({ maxMemoryBytes: 3000 });
    void records.put(record('a', { status: 'inprogress' }));
    await records.settle();
    blobs.broken = 'write';
    void records.put(record('a', { result: 'x'.repeat(2000) }));
    await records.settle();
    expect((await records.get('a'))?.status).toBe('completed');
    void records.put(record('b', { at: NOW + 1, result: 'x'.repeat(2000) }));
    await records.settle();
    expect(ids()).toEqual(['b', 'a']);
    expect((await records.get('a'))?.status).toBe('inprogress');
  });

  it.each([
    ['list', 'listed'],
    ['read', 'read'],
    ['remove', 'removed'],
  ] as const)('to %s: warns once and goes on', async (kind, verb) => {
    const { blobs, records, warnings, ids } = openStorage({ maxRecords: 2 });
    for (const id of ['a', 'b']) void records.put(record(id));
    await records.settle();
    blobs.broken = kind;
    await records.load();
    await records.load();
    expect(await records.get('a')).toEqual(kind === 'read' ? undefined : record('a'));
    await records.get('b');
    for (const id of ['c', 'd']) void records.put(record(id, { at: NOW + 1 }));
    await records.settle();
    expect(ids()).toEqual(['d', 'c']);
    expect(warnings).toEqual([
      `Stored records of workflow executions cannot be ${verb}: ${kind} is broken`,
    ]);
  });
});
