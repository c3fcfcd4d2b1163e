import type { EventLines, StoredEvent } from '@gateway/events';
import type { ApiServer } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import {
  breakConnections,
  changingLeadership,
  EVENT_KIND,
  openedCluster,
  openedStore,
  serverObject,
} from './cluster-store.ts';

const IN_TENANT = { namespace: 'tenant' };

const eventOf = (more: Partial<StoredEvent> = {}): StoredEvent => ({
  ...{ id: 1, kind: 'MCPServer', name: 'a', namespace: 'default', type: 'Normal', count: 1 },
  ...{ reason: 'MCPServerStarted', message: 'started', firstAt: 1_000, lastAt: 1_000 },
  ...more,
});

/** An event that began so many milliseconds ago. */
const recent = (agoMs: number, more: Partial<StoredEvent> = {}): StoredEvent => {
  const firstAt = Date.now() - agoMs;
  return eventOf({ firstAt, lastAt: firstAt, ...more });
};

const appender =
  (lines: EventLines) =>
  (...events: readonly StoredEvent[]): Promise<void> =>
    lines.append(
      'MCPServer',
      events.map((event) => JSON.stringify(event)),
    );

/** The writer of events of a cluster whose server `a` is in the namespace `tenant`. */
const opened = async (options: Parameters<typeof openedStore>[1] = {}) => {
  const cluster = await openedCluster([serverObject('a', IN_TENANT)], options);
  const { api } = cluster;
  const stored = () => api.history.list(EVENT_KIND, '');
  const lines = cluster.store.eventLines;
  const reasons = () => stored().map(({ reason }) => String(reason));
  return { ...cluster, lines, append: appender(lines), stored, reasons };
};

/** A former leader and a replica that does not lead yet. */
const openedTwice = async () => {
  const former = await opened();
  const leadership = changingLeadership(false);
  const next = await openedStore(former.kubeconfig, { leadership });
  const lead = () => {
    leadership.set(true);
  };
  return { ...former, former, next, lead, appendNext: appender(next.eventLines) };
};

/** Breaks the next requests that match. */
const breakEvents = (api: ApiServer, isBroken: (verb: string) => boolean): void => {
  api.fault = ({ resource, verb }, response) => {
    if (resource !== 'events' || !isBroken(verb)) return false;
    response.destroy();
    return true;
  };
};

it('counts the occurrences of an aggregated event in one object, next to its resource', async () => {
  const { append, stored, find } = await opened();
  await append(eventOf(), eventOf({ id: 2, lastAt: 5_000, count: 2 }));
  await append(eventOf({ id: 3, lastAt: 9_000, count: 3 }));
  const uid = find('a', 'tenant')?.metadata.uid;
  expect(stored()).toMatchObject([
    {
      metadata: IN_TENANT,
      ...{ reason: 'MCPServerStarted', note: 'started', type: 'Normal' },
      eventTime: '1970-01-01T00:00:01.000000Z',
      regarding: { kind: 'MCPServer', namespace: 'tenant', name: 'a', uid },
      series: { count: 3, lastObservedTime: '1970-01-01T00:00:09.000000Z' },
    },
  ]);
});

it('reads the events of a kind, newest first', async () => {
  const { lines, append } = await opened();
  await append(eventOf(), eventOf({ reason: 'MCPServerStopped', firstAt: 7_000 }));
  const read = await lines.read('MCPServer', 10);
  expect(read.map((line) => JSON.parse(line) as StoredEvent)).toMatchObject([
    { reason: 'MCPServerStopped', firstAt: 7_000, count: 1, namespace: 'tenant' },
    { reason: 'MCPServerStarted', firstAt: 1_000, lastAt: 1_000, id: 1_000 },
  ]);
  expect(await lines.read('Workflow', 10)).toEqual([]);
});

it('writes no more than 25 events of one object at once', async () => {
  const { append, stored } = await opened();
  const events = Array.from({ length: 40 }, (_, index) => eventOf({ message: String(index) }));
  await append(...events, eventOf({ name: 'other' }));
  expect(stored()).toHaveLength(26);
});

it('is not stopped by a missing permission, which it reports once', async () => {
  const problems: string[] = [];
  const { api, append, stored } = await opened({ onWarning: (line) => problems.push(line) });
  api.isAllowed = ({ resource, namespace }) => resource !== 'events' || namespace === 'tenant';
  await append(...['x', 'y', 'a'].map((name) => eventOf({ name })));
  expect(stored()).toHaveLength(1);
  expect(problems).toEqual([expect.stringContaining('could not write Event default/x.')]);
});

it('rejects when the API cannot be reached, so that the events are written later', async () => {
  const { api, append } = await opened();
  breakConnections(api);
  await expect(append(eventOf())).rejects.toThrow('the connection failed');
});

it('writes nothing before this process leads', async () => {
  const { append, stored } = await opened({ leadership: changingLeadership(false) });
  await append(eventOf());
  expect(stored()).toEqual([]);
});

it('writes, as the new leader, what the former one has not written', async () => {
  const { append, appendNext, lead, stored, reasons } = await openedTwice();
  // Both see it, a little later than each other.
  await append(recent(20_000));
  const seen = recent(19_000);
  await appendNext(seen);
  // The former leader is gone.
  await appendNext(recent(5_000, { reason: 'MCPServerFailed', message: 'lost', type: 'Warning' }));
  expect(stored()).toHaveLength(1);
  lead();
  const both = expect.arrayContaining(['MCPServerStarted', 'MCPServerFailed']) as unknown;
  await expect.poll(reasons).toEqual(both);
  // A later occurrence continues the object of the former leader.
  await expect
    .poll(async () => {
      await appendNext({ ...seen, count: 2, lastAt: Date.now() });
      return stored().find(({ reason }) => reason === 'MCPServerStarted');
    })
    .toMatchObject({ series: { count: 2 } });
  expect(stored()).toHaveLength(2);
});

it('continues the objects of the former leader in events that began long before', async () => {
  const { api, next, append, appendNext, lead, stored, reasons } = await openedTwice();
  await append(recent(90_000, IN_TENANT));
  const seen = recent(89_999, IN_TENANT);
  await appendNext(seen);
  lead();
  let marks = 0;
  await expect
    .poll(async () => {
      marks += 1;
      const reason = `Mark${String(marks)}`;
      await appendNext(recent(0, { name: 'mark', reason }));
      return reasons().includes(reason);
    })
    .toBe(true);
  const seriesOf = () =>
    stored().flatMap((one) => (one['reason'] === seen.reason ? [one['series']] : []));
  await appendNext({ ...seen, count: 2, lastAt: Date.now() });
  expect(seriesOf()).toEqual([expect.objectContaining({ count: 2 })]);
  // The object that the event is about is gone, and the event does not change its object.
  api.remove('MCPServer', { ...IN_TENANT, name: 'a' });
  await expect.poll(() => next.current().servers).toEqual([]);
  await appendNext({ ...seen, count: 3, lastAt: Date.now() });
  expect(seriesOf()).toEqual([expect.objectContaining({ count: 3 })]);
});

it('writes events of an object that was created again apart from those of the former one, once', async () => {
  const { api, former, next, append, appendNext, lead, stored, reasons } = await openedTwice();
  const began = Date.now() - 5_000;
  // Each replica has an event of the former object, and another one that the new object continues.
  const observed = async (count: number) => {
    await append(recent(0, { ...IN_TENANT, firstAt: began, count }));
    await appendNext(recent(0, { ...IN_TENANT, firstAt: began + 1, count }));
  };
  const bothServe = async (count: number) => {
    for (const { current } of [former.store, next])
      await expect.poll(() => current().servers).toHaveLength(count);
  };
  await appendNext(recent(8_000, IN_TENANT));
  await observed(1);
  api.remove('MCPServer', { ...IN_TENANT, name: 'a' });
  await bothServe(0);
  api.apply(serverObject('a', IN_TENANT));
  await bothServe(1);
  await observed(2);
  lead();
  await expect
    .poll(async () => {
      await appendNext(recent(0, { reason: 'MCPServerFailed' }));
      return reasons();
    })
    .toContain('MCPServerFailed');
  const regarding = stored()
    .filter(({ reason }) => reason === 'MCPServerStarted')
    .map((object) => (object['regarding'] as { readonly uid?: string }).uid);
  expect([regarding.length, new Set(regarding).size]).toEqual([2, 2]);
});

it('does not write again what it could not read at once', async () => {
  const { api, append, appendNext, lead, stored } = await openedTwice();
  await append(recent(20_000));
  await appendNext(recent(19_000));
  let lists = 0;
  breakEvents(api, (verb) => verb === 'list' && (lists += 1) <= 2);
  lead();
  const own = recent(0, { message: 'later' });
  await expect
    .poll(async () => {
      await appendNext(own);
      return stored()
        .map(({ note }) => String(note))
        .sort();
    })
    .toEqual(['later', 'started']);
});

it('writes the events of the time without a leader later when the API does not answer', async () => {
  const leadership = changingLeadership(false);
  const { api, append, stored } = await opened({ leadership });
  await append(recent(1_000));
  let failed = 0;
  breakEvents(api, (verb) => verb !== 'list' && (failed += 1) > 0);
  leadership.set(true);
  await expect.poll(() => failed).toBeGreaterThan(0);
  api.fault = undefined;
  await expect.poll(stored).toHaveLength(1);
});

it('charges an event once, however often its write fails', async () => {
  const { api, append, stored } = await opened();
  const events = Array.from({ length: 20 }, (_, index) => eventOf({ message: String(index) }));
  let writes = 0;
  breakEvents(api, () => (writes += 1) % 2 === 0);
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(append(...events)).rejects.toThrow('the connection failed');
  api.fault = undefined;
  await append(...events);
  expect(stored()).toHaveLength(20);
});
