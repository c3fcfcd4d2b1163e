import {
  EventRecorder,
  type EventKind,
  type EventLines,
  type GatewayEvent,
  type StoredEvent,
} from '@gateway/events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecorderLimits } from '../src/event-ring.ts';

const started = (name: string): GatewayEvent => ({ reason: 'MCPServerStarted', name });
const ran = (execution: string): GatewayEvent => ({
  ...{ reason: 'WorkflowExecutionStarted', name: 'w', execution },
});

/** A recorder whose clock is set by the test. */
const recorderAt = (limits: Partial<RecorderLimits> = {}, lines?: EventLines) => {
  const clock = { time: 1_000 };
  const warnings: string[] = [];
  const recorder = new EventRecorder({
    now: () => clock.time,
    warn: (text) => warnings.push(text),
    limits,
    ...(lines !== undefined && { lines }),
  });
  return Object.assign(recorder, { clock, warnings });
};

const brief = ({ name, count, id }: StoredEvent): string =>
  `${String(id)} ${name} x${String(count)}`;
const briefly = (events: readonly StoredEvent[]): readonly string[] => events.map(brief);

describe('equal events', () => {
  it('are one with a count, which stands where the latest of them stands', async () => {
    const { emit, query, clock } = recorderAt();
    emit(started('a'));
    emit(started('b'));
    clock.time = 2_000;
    emit(started('a'));
    const event = (name: string) => ({
      kind: 'MCPServer',
      name,
      namespace: 'default',
      reason: 'MCPServerStarted',
      message: `MCPServer ${name} service started successfully`,
      type: 'Normal',
      firstAt: 1_000,
    });
    expect(await query({})).toEqual([
      { ...event('a'), id: 3, lastAt: 2_000, count: 2 },
      { ...event('b'), id: 2, lastAt: 1_000, count: 1 },
    ]);
  });

  it('are counted together for ten minutes from the first of them', async () => {
    const { emit, query, clock } = recorderAt();
    for (const time of [0, 300_000, 599_999, 600_000, 700_000]) {
      clock.time = time;
      emit(started('a'));
    }
    expect(briefly(await query({}))).toEqual(['5 a x2', '3 a x3']);
  });

  it('differ by message and by namespace', async () => {
    const { emit, query } = recorderAt();
    for (const error of ['one', 'two', 'one'])
      emit({ reason: 'MCPServerFailed', name: 'a', error });
    emit({ ...started('a'), namespace: 'team' });
    emit(started('a'));
    expect(briefly(await query({}))).toEqual(['5 a x1', '4 a x1', '3 a x2', '2 a x1']);
  });

  it('stay in order whatever the clock does', async () => {
    const { emit, query, clock } = recorderAt();
    for (const time of [5_000_000, 1_000, 900_000_000_000, 2_000]) {
      clock.time = time;
      emit(started('a'));
      emit(started(String(time)));
    }
    const events = await query({});
    expect(events.map(({ id }) => id)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(events.every(({ firstAt, lastAt }) => firstAt <= lastAt)).toBe(true);
  });
});

describe('what is remembered', () => {
  it('is bounded for each kind: busy workflows do not push out what happened to servers', async () => {
    const { emit, query } = recorderAt({ maxEvents: 3 });
    emit(started('a'));
    for (let n = 0; n < 1_000; n += 1) emit(ran(String(n)));
    const events = await query({});
    expect(events.map(({ message }) => message)).toEqual([
      'Workflow w execution started (execution: 999)',
      'Workflow w execution started (execution: 998)',
      'Workflow w execution started (execution: 997)',
      'MCPServer a service started successfully',
    ]);
  });

  it('holds every occurrence exactly once, as long as there is room', () => {
    const emitted = fc.array(fc.tuple(fc.constantFrom('a', 'b', '__proto__'), fc.nat(700_000)));
    return fc.assert(
      fc.asyncProperty(emitted, async (given) => {
        const { emit, query, clock } = recorderAt();
        for (const [name, step] of given) {
          clock.time += step;
          emit(started(name));
        }
        const events = await query({});
        const total = events.reduce((sum, { count }) => sum + count, 0);
        expect(total).toBe(given.length);
        const ids = events.map(({ id }) => id);
        expect(ids).toEqual([...ids].sort((a, b) => b - a));
        expect(events.every(({ firstAt, lastAt }) => lastAt - firstAt < 600_000)).toBe(true);
      }),
    );
  });

  it('is asked for by kind, name, namespace, type, time and number', async () => {
    const { emit, query, clock } = recorderAt();
    emit(started('a'));
    clock.time = 2_000;
    emit({ reason: 'MCPServerFailed', name: 'a', namespace: 'team', error: 'x' });
    clock.time = 3_000;
    emit(ran('1'));
    const ids = async (asked: Parameters<typeof query>[0]) =>
      (await query(asked)).map(({ id }) => id);
    expect(await ids({ kind: 'MCPServer' })).toEqual([2, 1]);
    expect(await ids({ kind: 'mcpserver' })).toEqual([]);
    expect(await ids({ name: 'w' })).toEqual([3]);
    expect(await ids({ namespace: 'team' })).toEqual([2]);
    expect(await ids({ type: 'Warning' })).toEqual([2]);
    expect(await ids({ since: 2_000 })).toEqual([3, 2]);
    expect(await ids({ until: 2_000 })).toEqual([2, 1]);
    expect(await ids({ limit: 1 })).toEqual([3]);
    expect(await ids({ kind: '__proto__', name: 'constructor' })).toEqual([]);
  });
});

it('listeners hear of each occurrence from then on, until they stop', () => {
  const { emit, subscribe } = recorderAt();
  const heard: string[] = [];
  emit(started('before'));
  const stop = subscribe((event) => heard.push(brief(event)));
  emit(started('a'));
  emit(started('a'));
  stop();
  emit(started('a'));
  expect(heard).toEqual(['2 a x1', '3 a x2']);
});

/** Lines in memory, whose appends can be made to fail. */
const memoryLines = () => {
  const kept = new Map<EventKind, string[]>();
  const state = { isFull: false, appends: 0, closed: 0 };
  const lines: EventLines = {
    append: async (kind, added) => {
      state.appends += 1;
      await Promise.resolve();
      if (state.isFull) throw new Error('ENOSPC: no space left on device\nwrite');
      kept.set(kind, [...(kept.get(kind) ?? []), ...added]);
    },
    read: (kind, count) => Promise.resolve((kept.get(kind) ?? []).toReversed().slice(0, count)),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    close: () => {
      state.closed += 1;
      return Promise.resolve();
    },
  };
  return { lines, kept, state };
};

describe('kept lines', () => {
  it('are written together and off the way of whoever emits, one for an event that was counted up', async () => {
    const { lines, kept, state } = memoryLines();
    const { emit, load, settle } = recorderAt({}, lines);
    await load();
    for (let n = 0; n < 500; n += 1) emit(started('a'));
    expect(state.appends).toBe(0);
    await settle();
    expect(state.appends).toBe(1);
    expect(kept.get('MCPServer')).toHaveLength(1);
  });

  it('are taken up again: numbers go on, and what was equal is counted on', async () => {
    const { lines, state } = memoryLines();
    const first = recorderAt({}, lines);
    first.emit(started('a'));
    first.emit(ran('1'));
    await first.close();
    expect(state.closed).toBe(1);
    const second = recorderAt({}, lines);
    second.emit(started('a'));
    expect(briefly(await second.query({}))).toEqual(['3 a x2', '2 w x1']);
  });

  it('may be torn, foreign or doubled', async () => {
    const { lines, kept } = memoryLines();
    const first = recorderAt({}, lines);
    first.emit(started('a'));
    await first.settle();
    first.emit(started('a'));
    await first.close();
    const [line = ''] = kept.get('MCPServer') ?? [];
    kept
      .get('MCPServer')
      ?.push(
        line,
        line.slice(0, 40),
        'null',
        '[]',
        '{"id":5}',
        line.replace('"id":1', '"id":9007199254740991'),
        line.replace('"kind":"MCPServer"', '"kind":"Workflow"'),
        `{"id":3,"x":"${'y'.repeat(20_000)}"}`,
        '{"__proto__":{"id":1}}',
        line.replace('"name":"a"', String.raw`"name":"a\u001b[2J"`),
        line.replace('"reason":"', String.raw`"reason":"\u202e`),
        line.replace('"name":"a"', `"name":"${'a'.repeat(254)}"`),
      );
    const second = recorderAt({}, lines);
    expect(briefly(await second.query({}))).toEqual(['2 a x2']);
    expect(second.warnings).toEqual([]);
  });

  it('that cannot be written are remembered, warned of once, and written when there is room', async () => {
    const { lines, kept, state } = memoryLines();
    const { emit, settle, query, warnings } = recorderAt({}, lines);
    state.isFull = true;
    for (const name of ['a', 'b', 'c']) {
      emit(started(name));
      await settle();
    }
    expect(briefly(await query({}))).toEqual(['3 c x1', '2 b x1', '1 a x1']);
    expect(warnings).toEqual([
      'Events cannot be stored and are kept in memory: ENOSPC: no space left on device',
    ]);
    state.isFull = false;
    emit(started('d'));
    await settle();
    expect(kept.get('MCPServer')).toHaveLength(4);
    state.isFull = true;
    emit(started('e'));
    await settle();
    expect(warnings).toHaveLength(2);
  });

  it('that cannot be read are warned of, and nobody waits for them', async () => {
    const { lines } = memoryLines();
    const broken = { ...lines, read: () => Promise.reject(new Error('EIO: i/o error')) };
    const { emit, query, warnings } = recorderAt({}, broken);
    emit(started('a'));
    expect(briefly(await query({}))).toEqual(['1 a x1']);
    expect(warnings[0]).toBe('Stored events of the kind MCPServer cannot be read: EIO: i/o error');
  });
});
