import type { EventLines, StoredEvent } from '@gateway/events';
import type { ApiServer } from '@gateway/test-peers';
import { expect, it } from 'vitest';
import {
  changingLeadership,
  openedStore,
  serverObject,
  startGatewayCluster,
} from './cluster-store.ts';

const KIND = { group: 'events.k8s.io', version: 'v1', kind: 'Event', resource: 'events' };

const eventOf = (more: Partial<StoredEvent> = {}): StoredEvent => ({
  ...{ id: 1, kind: 'MCPServer', name: 'a', namespace: 'default', type: 'Normal', count: 1 },
  ...{ reason: 'MCPServerStarted', message: 'started', firstAt: 1_000, lastAt: 1_000 },
  ...more,
});

const IN_TENANT = { namespace: 'tenant' };

const append = (lines: EventLines, ...events: readonly StoredEvent[]): Promise<void> =>
  lines.append(
    'MCPServer',
    events.map((event) => JSON.stringify(event)),
  );

const opened = async (options: Parameters<typeof openedStore>[1] = {}) => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a', { namespace: 'tenant' }));
  const { eventLines } = await openedStore(kubeconfig, options);
  return { api, lines: eventLines };
};

const stored = (api: ApiServer) => api.history.list(KIND, '');

it('counts the occurrences of an aggregated event in one object, next to its resource', async () => {
  const { api, lines } = await opened();
  await append(lines, eventOf(), eventOf({ id: 2, lastAt: 5_000, count: 2 }));
  await append(lines, eventOf({ id: 3, lastAt: 9_000, count: 3 }));
  const [object, ...others] = stored(api);
  expect(others).toEqual([]);
  const uid = api.history.list(
    { ...KIND, group: 'gateway.internal', resource: 'mcpservers' },
    '',
  )[0]?.metadata.uid;
  expect(object).toMatchObject({
    metadata: { namespace: 'tenant' },
    ...{ reason: 'MCPServerStarted', note: 'started', type: 'Normal' },
    eventTime: '1970-01-01T00:00:01.000000Z',
    regarding: { kind: 'MCPServer', namespace: 'tenant', name: 'a', uid },
    series: { count: 3, lastObservedTime: '1970-01-01T00:00:09.000000Z' },
  });
});

it('reads the events of a kind, newest first', async () => {
  const { lines } = await opened();
  await append(lines, eventOf(), eventOf({ reason: 'MCPServerStopped', firstAt: 7_000 }));
  const read = await lines.read('MCPServer', 10);
  expect(read.map((line) => JSON.parse(line) as StoredEvent)).toMatchObject([
    { ...{ reason: 'MCPServerStopped', firstAt: 7_000, count: 1 }, namespace: 'tenant' },
    { ...{ reason: 'MCPServerStarted', firstAt: 1_000, lastAt: 1_000 }, id: 1_000 },
  ]);
  expect(await lines.read('Workflow', 10)).toEqual([]);
});

it('writes no more than 25 events of one object at once', async () => {
  const { api, lines } = await opened();
  const events = Array.from({ length: 40 }, (_, index) => eventOf({ message: String(index) }));
  await append(lines, ...events, eventOf({ name: 'other' }));
  expect(stored(api)).toHaveLength(26);
});

it('is not stopped by a missing permission, which it reports once', async () => {
  const problems: string[] = [];
  const { api, lines } = await opened({ onWarning: (line) => problems.push(line) });
  api.isAllowed = ({ resource, namespace }) => resource !== 'events' || namespace === 'tenant';
  const events = ['x', 'y', 'a'].map((name) => eventOf({ name }));
  await append(lines, ...events);
  expect(stored(api)).toHaveLength(1);
  expect(problems).toEqual([expect.stringContaining('could not write Event default/x.')]);
});

it('rejects when the API cannot be reached, so that the events are written later', async () => {
  const { api, lines } = await opened();
  api.fault = (_request, response) => {
    response.destroy();
    return true;
  };
  await expect(append(lines, eventOf())).rejects.toThrow('the connection failed');
});

it('writes nothing before this process leads', async () => {
  const { api, lines } = await opened({ leadership: changingLeadership(false) });
  await append(lines, eventOf());
  expect(stored(api)).toEqual([]);
});

/** An event that began so many milliseconds ago. */
const recent = (agoMs: number, more: Partial<StoredEvent> = {}): StoredEvent => {
  const firstAt = Date.now() - agoMs;
  return eventOf({ firstAt, lastAt: firstAt, ...more });
};

it('writes, as the new leader, what the former one has not written', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a', { namespace: 'tenant' }));
  const former = (await openedStore(kubeconfig)).eventLines;
  const leadership = changingLeadership(false);
  const { eventLines } = await openedStore(kubeconfig, { leadership });
  // Both see it, a little later than each other.
  await append(former, recent(20_000));
  const seen = recent(19_000);
  await append(eventLines, seen);
  // The former leader is gone.
  const missed = recent(5_000, { reason: 'MCPServerFailed', message: 'lost', type: 'Warning' });
  await append(eventLines, missed);
  expect(stored(api)).toHaveLength(1);
  leadership.set(true);
  await expect
    .poll(() => stored(api).map((object) => String(object['reason'])))
    .toEqual(expect.arrayContaining(['MCPServerStarted', 'MCPServerFailed']));
  // A later occurrence continues the object of the former leader.
  await expect
    .poll(async () => {
      await append(eventLines, { ...seen, count: 2, lastAt: Date.now() });
      return stored(api).find((object) => object['reason'] === 'MCPServerStarted');
    })
    .toMatchObject({ series: { count: 2 } });
  expect(stored(api)).toHaveLength(2);
});

it('continues the objects of the former leader in events that began long before', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a', { namespace: 'tenant' }));
  const former = (await openedStore(kubeconfig)).eventLines;
  const leadership = changingLeadership(false);
  const store = await openedStore(kubeconfig, { leadership });
  const { eventLines } = store;
  await append(former, recent(90_000, IN_TENANT));
  const seen = recent(89_999, IN_TENANT);
  await append(eventLines, seen);
  leadership.set(true);
  let marks = 0;
  await expect
    .poll(async () => {
      marks += 1;
      const reason = `Mark${String(marks)}`;
      await append(eventLines, recent(0, { name: 'mark', reason }));
      return stored(api).some((object) => object['reason'] === reason);
    })
    .toBe(true);
  const seriesOf = () =>
    stored(api)
      .filter(({ reason }) => reason === seen.reason)
      .map(({ series }) => series);
  await append(eventLines, { ...seen, count: 2, lastAt: Date.now() });
  expect(seriesOf()).toEqual([expect.objectContaining({ count: 2 })]);
  // The object that the event is about is gone, and the event does not change its object.
  api.remove('MCPServer', { ...IN_TENANT, name: 'a' });
  await expect.poll(() => store.current().servers).toEqual([]);
  await append(eventLines, { ...seen, count: 3, lastAt: Date.now() });
  expect(seriesOf()).toEqual([expect.objectContaining({ count: 3 })]);
});

it('writes events of an object that was created again apart from those of the former one, once', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a', IN_TENANT));
  const former = await openedStore(kubeconfig);
  const leadership = changingLeadership(false);
  const next = await openedStore(kubeconfig, { leadership });
  // Each replica has an event of the former object, and another one that the new object continues.
  const observed = async (count: number) => {
    await append(former.eventLines, recent(0, { ...IN_TENANT, firstAt: began, count }));
    await append(next.eventLines, recent(0, { ...IN_TENANT, firstAt: began + 1, count }));
  };
  const began = Date.now() - 5_000;
  await append(next.eventLines, recent(8_000, IN_TENANT));
  await observed(1);
  api.remove('MCPServer', { ...IN_TENANT, name: 'a' });
  for (const { current } of [former, next]) await expect.poll(() => current().servers).toEqual([]);
  api.apply(serverObject('a', IN_TENANT));
  for (const { current } of [former, next])
    await expect.poll(() => current().servers).toHaveLength(1);
  await observed(2);
  leadership.set(true);
  await expect
    .poll(async () => {
      await append(next.eventLines, recent(0, { reason: 'MCPServerFailed' }));
      return stored(api).map(({ reason }) => reason);
    })
    .toEqual(expect.arrayContaining(['MCPServerFailed']));
  const regarding = stored(api)
    .filter(({ reason }) => reason === 'MCPServerStarted')
    .map((object) => (object['regarding'] as { readonly uid?: string }).uid);
  expect([regarding.length, new Set(regarding).size]).toEqual([2, 2]);
});

it('does not write again what it could not read at once', async () => {
  const leadership = changingLeadership(false);
  const { api, kubeconfig } = await startGatewayCluster();
  api.apply(serverObject('a', { namespace: 'tenant' }));
  await append((await openedStore(kubeconfig)).eventLines, recent(20_000));
  const { eventLines } = await openedStore(kubeconfig, { leadership });
  await append(eventLines, recent(19_000));
  let lists = 0;
  api.fault = ({ resource, verb }, response) => {
    if (resource !== 'events' || verb !== 'list') return false;
    lists += 1;
    if (lists > 2) return false;
    response.destroy();
    return true;
  };
  leadership.set(true);
  const own = recent(0, { message: 'later' });
  await expect
    .poll(async () => {
      await append(eventLines, own);
      return stored(api)
        .map(({ note }) => String(note))
        .sort();
    })
    .toEqual(['later', 'started']);
});

it('writes the events of the time without a leader later when the API does not answer', async () => {
  const leadership = changingLeadership(false);
  const { api, lines } = await opened({ leadership });
  await append(lines, recent(1_000));
  let failed = 0;
  api.fault = ({ resource, verb }, response) => {
    if (resource !== 'events' || verb === 'list') return false;
    failed += 1;
    response.destroy();
    return true;
  };
  leadership.set(true);
  await expect.poll(() => failed).toBeGreaterThan(0);
  api.fault = undefined;
  await expect.poll(() => stored(api)).toHaveLength(1);
});

it('charges an event once, however often its write fails', async () => {
  const { api, lines } = await opened();
  const events = Array.from({ length: 20 }, (_, index) => eventOf({ message: String(index) }));
  let writes = 0;
  api.fault = (_request, response) => {
    writes += 1;
    if (writes % 2 === 1) return false;
    response.destroy();
    return true;
  };
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(append(lines, ...events)).rejects.toThrow('the connection failed');
  api.fault = undefined;
  await append(lines, ...events);
  expect(stored(api)).toHaveLength(20);
});
