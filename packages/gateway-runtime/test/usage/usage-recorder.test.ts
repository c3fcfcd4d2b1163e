import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ANONYMOUS } from '@gateway/call-contract';
import { createMemoryStore } from '@gateway/state-store';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createSharedUsage,
  createUsageFiles,
  UsageRecorder,
  type UsageStorage,
} from '../../src/usage/usage-recorder.ts';

const START = Date.UTC(2026, 0, 1, 12, 0, 30);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const call = (endedAt: number, tool = 'x_files_read') => ({
  ...{ tool, principal: ANONYMOUS, toolset: undefined, workflow: undefined },
  ...{ isError: false, resultBytes: 1, durationMs: 1, endedAt },
});

/** A recorder whose clock a test moves. */
const recorderAt = (
  start: number,
  storageOf: UsageStorage | ((now: () => number) => UsageStorage) | undefined,
) => {
  const clock = { now: start };
  const storage = typeof storageOf === 'function' ? storageOf(() => clock.now) : storageOf;
  const warnings: string[] = [];
  const warn = (text: string) => warnings.push(text);
  const recorder = new UsageRecorder({ storage, warn, now: () => clock.now });
  const callsOf = async (hours: number): Promise<number> =>
    (await recorder.query({ hours, by: 'tool' })).total.calls;
  return { recorder, clock, warnings, callsOf, add: () => recorder.count(call(clock.now)) };
};

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'usage-'));
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
};

/** A storage that fails while a test says so. */
const failingStorage = () => {
  const texts = new Map<string, string>();
  const state = { isFull: true };
  const storage: UsageStorage = {
    read: (id) => Promise.resolve(texts.get(id)),
    update: (id, change) => {
      if (state.isFull) return Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      texts.set(id, change(texts.get(id)));
      return Promise.resolve();
    },
  };
  return { storage, state, texts };
};

describe('the counted calls', () => {
  it.each([
    ['memory', undefined],
    ['files', (now: () => number) => createUsageFiles(folder(), now)],
    ['a state store', () => createSharedUsage(createMemoryStore())],
  ])('in %s are in the periods that they belong to', async (_kind, storageOf) => {
    const { recorder, clock, add, callsOf } = recorderAt(START - 20 * DAY, storageOf);
    const periods = () => Promise.all([1, 24, 168, 720].map(callsOf));
    for (const age of [20 * DAY, 5 * DAY, 5 * HOUR, MINUTE]) {
      clock.now = START - age;
      add();
      await recorder.flush();
    }
    clock.now = START;
    expect(await periods()).toEqual([1, 2, 3, 4]);
    add();
    expect(await periods()).toEqual([2, 3, 4, 5]);
  });

  it('are in a period that begins with an interval, or with the process when its memory has them', async () => {
    const since = async (storage: UsageStorage | undefined, hours: number) =>
      new Date(
        (await recorderAt(START, storage).recorder.query({ hours, by: 'tool' })).since,
      ).toISOString();
    const store = createSharedUsage(createMemoryStore());
    expect(await since(store, 1)).toBe('2026-01-01T11:00:00.000Z');
    expect(await since(store, 2)).toBe('2026-01-01T10:00:00.000Z');
    expect(await since(store, 3)).toBe('2026-01-01T09:00:00.000Z');
    expect(await since(store, 720)).toBe('2025-12-02T00:00:00.000Z');
    expect(await since(undefined, 720)).toBe('2026-01-01T12:00:30.000Z');
  });

  it('are stored a minute after the first one, and nothing is while nobody calls', async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { storage, state, texts } = failingStorage();
    state.isFull = false;
    const { add } = recorderAt(START, storage);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect([texts.size, vi.getTimerCount()]).toEqual([0, 0]);
    add();
    await vi.advanceTimersByTimeAsync(MINUTE - 1);
    expect(texts.size).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect([texts.size, vi.getTimerCount()]).toEqual([3, 0]);
  });

  it('of a process that ended are there after a restart; its files are private', async () => {
    const path = folder();
    const files = (now: () => number) => createUsageFiles(path, now);
    const first = recorderAt(START, files);
    first.add();
    await first.recorder.close();
    const second = recorderAt(START + MINUTE, files);
    second.add();
    expect(await second.callsOf(1)).toBe(2);
    const modes = readdirSync(path).map((name) => statSync(join(path, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it('of replicas that share a state store are added up, also when both store at once', async () => {
    const store = createMemoryStore();
    const replicas = [1, 2].map(() => recorderAt(START, createSharedUsage(store)));
    for (const { add } of replicas) add();
    await Promise.all(replicas.map(({ recorder }) => recorder.flush()));
    expect(await Promise.all(replicas.map(({ callsOf }) => callsOf(1)))).toEqual([2, 2]);
  });

  it('are not seen twice while they are stored', async () => {
    const { recorder, add, callsOf } = recorderAt(START, (now) => createUsageFiles(folder(), now));
    add();
    const flushed = recorder.flush();
    const [before, after] = await Promise.all([callsOf(1), flushed.then(() => callsOf(1))]);
    expect([before, after]).toEqual([1, 1]);
  });

  it('stay in memory while the disk is full, with one warning, and are stored afterwards', async () => {
    const { storage, state, texts } = failingStorage();
    const { recorder, add, callsOf, warnings } = recorderAt(START, storage);
    for (let round = 0; round < 3; round += 1) {
      add();
      await recorder.flush();
    }
    expect(await callsOf(1)).toBe(3);
    expect(warnings).toEqual([
      'usage cannot be stored: no space is left on the device; it is tried again',
    ]);
    state.isFull = false;
    await recorder.flush();
    expect(texts.size).toBe(3);
    expect(await callsOf(1)).toBe(3);
  });

  it('that no period reaches are forgotten, in memory and on disk', async () => {
    const { recorder, clock, add } = recorderAt(START, undefined);
    add();
    await recorder.flush();
    clock.now = START + 40 * DAY;
    add();
    await recorder.flush();
    clock.now = START;
    expect((await recorder.query({ hours: 720, by: 'tool' })).total.calls).toBe(0);
    const path = folder();
    const stored = recorderAt(START, (now) => createUsageFiles(path, now));
    for (let day = 0; day < 40; day += 1) {
      stored.clock.now = START + day * DAY;
      stored.add();
      await stored.recorder.flush();
    }
    const names = readdirSync(path);
    expect(names.filter((name) => name.startsWith('day-'))).toHaveLength(31);
    expect(names.filter((name) => name.startsWith('hour-'))).toHaveLength(8);
    expect(names.filter((name) => name.startsWith('minutes-'))).toHaveLength(1);
  });
});
