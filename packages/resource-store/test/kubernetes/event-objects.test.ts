import type { EventLines, StoredEvent } from '@gateway/events';
import type { ApiServer } from '@gateway/test-cluster';
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
