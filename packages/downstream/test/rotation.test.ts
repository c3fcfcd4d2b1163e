import type { McpServer } from '@gateway/crd-schemas';
import type { GatewayEvent } from '@gateway/events';
import { describe, expect, it } from 'vitest';
import type { Downstream, DownstreamOutcome } from '../src/index.ts';
import {
  eventually,
  isAlive,
  resultOf,
  testDownstream,
  untilState,
  viewOf,
} from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer, stdioFixture } from './harness/servers.ts';

/** Returns a definition whose values were read from Secrets and ConfigMaps. */
const withValue = (server: McpServer, value: string): McpServer => ({
  ...server,
  referenced: { values: { 'X-Api-Key': value, KEY: value } },
});

const call = (downstream: Downstream, tool: string, args: object = {}) =>
  downstream.callTool({ server: 'raw', tool, arguments: { ...args } });

/** A remote server with a tool `wait`, whose calls end when the test says so. */
const waitingServer = async () => {
  const ends: (() => void)[] = [];
  const wait = () =>
    new Promise((resolve) => {
      ends.push(() => resolve({ content: [], waited: true }));
    });
  const http = await startRawHttp({ protocolVersion: '2025-11-25', callable: { wait } });
  const keys = () => http.headers.map((headers) => headers['x-api-key']);
  return {
    ...{ http, keys, server: defineServer('raw', { type: 'streamable-http', url: http.url }) },
    connections: () => http.mcp.seen.filter(({ method }) => method === 'initialize').length,
    running: () => ends.length,
    endCalls: () => {
      for (const end of ends.splice(0)) end();
    },
  };
};

const observed = () => {
  const events: GatewayEvent[] = [];
  const { downstream } = testDownstream({ emit: (event) => events.push(event) });
  const reasons = () => events.map(({ reason }) => reason.replace('MCPServer', ''));
  return { downstream, reasons };
};

const WAITED = { content: [], waited: true };

describe('new values of Secrets and ConfigMaps', () => {
  it('replace the connection of a remote server once, while its calls finish and further calls succeed', async () => {
    const remote = await waitingServer();
    const { downstream, reasons } = observed();
    downstream.apply([withValue(remote.server, 'one')]);
    await downstream.settled();
    const waiting = call(downstream, 'wait');
    await eventually('the call runs', () => remote.running() === 1);
    downstream.apply([withValue(remote.server, 'two')]);
    expect(viewOf(downstream, 'raw').state).toBe('Connecting');
    const meanwhile: DownstreamOutcome[] = [];
    while (viewOf(downstream, 'raw').state !== 'Connected')
      meanwhile.push(await call(downstream, 'params'));
    expect(meanwhile.length).toBeGreaterThan(0);
    expect(meanwhile.filter(({ ok }) => !ok)).toEqual([]);
    resultOf(await call(downstream, 'params'));
    expect([remote.keys()[0], remote.keys().at(-1)]).toEqual(['one', 'two']);
    expect(downstream.inventories()).toHaveLength(1);
    remote.endCalls();
    expect(resultOf(await waiting)).toEqual(WAITED);
    expect(remote.connections()).toBe(2);
    expect(reasons()).toEqual([
      ...['Starting', 'Started', 'ToolsDiscovered'],
      ...['Restarting', 'Started', 'ToolsDiscovered'],
    ]);
  });

  it('replace a process, which ends when its calls have ended', async () => {
    const { downstream } = observed();
    const server = stdioFixture('raw', 'raw-stdio.mjs');
    downstream.apply([withValue(server, 'one')]);
    await downstream.settled();
    const [pid] = resultOf(await call(downstream, 'pids'))['pids'] as [number];
    const ending = new AbortController();
    const waiting = downstream.callTool(
      { server: 'raw', tool: 'hang', arguments: {} },
      { signal: ending.signal },
    );
    downstream.apply([withValue(server, 'two')]);
    expect(resultOf(await call(downstream, 'pids'))['pids']).toContain(pid);
    await untilState(downstream, 'raw', 'Running');
    expect(resultOf(await call(downstream, 'env'))['env']).toMatchObject({ KEY: 'two' });
    expect(isAlive(pid)).toBe(true);
    ending.abort();
    expect(await waiting).toMatchObject({ error: { code: 'request.cancelled' } });
    await eventually('the process has ended', () => !isAlive(pid));
  });

  it('that change again before the connection is replaced count in the end', async () => {
    const remote = await waitingServer();
    const { downstream } = observed();
    downstream.apply([withValue(remote.server, 'one')]);
    await downstream.settled();
    const waiting = call(downstream, 'wait');
    await eventually('the call runs', () => remote.running() === 1);
    for (const value of ['two', 'three', 'four']) {
      downstream.apply([withValue(remote.server, value)]);
      expect(await call(downstream, 'params')).toMatchObject({ ok: true });
    }
    await untilState(downstream, 'raw', 'Connected');
    resultOf(await call(downstream, 'params'));
    expect(remote.keys().at(-1)).toBe('four');
    remote.endCalls();
    expect(resultOf(await waiting)).toEqual(WAITED);
  });

  it('that a server refuses end the connection, and let its calls finish', async () => {
    const remote = await waitingServer();
    const { downstream } = observed();
    downstream.apply([withValue(remote.server, 'one')]);
    await downstream.settled();
    const waiting = call(downstream, 'wait');
    await eventually('the call runs', () => remote.running() === 1);
    remote.http.setIntercept((request, response) => {
      if (request.headers['x-api-key'] === 'one') return false;
      response.writeHead(403).end('no two');
      return true;
    });
    downstream.apply([withValue(remote.server, 'two')]);
    await untilState(downstream, 'raw', 'Failed');
    expect(viewOf(downstream, 'raw').reason).not.toContain('two');
    expect(await call(downstream, 'params')).toMatchObject({
      error: { code: 'server.not-connected' },
    });
    remote.endCalls();
    expect(resultOf(await waiting)).toEqual(WAITED);
    downstream.apply([withValue(remote.server, 'one')]);
    await untilState(downstream, 'raw', 'Connected');
  });

  it.each([
    ['stopped', (downstream: Downstream) => downstream.stop('raw')],
    ['restarted', (downstream: Downstream) => downstream.restart('raw')],
    ['removed', (downstream: Downstream) => Promise.resolve(downstream.apply([]))],
  ])('do not keep the calls of a server that is %s', async (_what, end) => {
    const remote = await waitingServer();
    const { downstream } = observed();
    downstream.apply([withValue(remote.server, 'one')]);
    await downstream.settled();
    const waiting = call(downstream, 'wait');
    await eventually('the call runs', () => remote.running() === 1);
    downstream.apply([withValue(remote.server, 'two')]);
    await untilState(downstream, 'raw', 'Connected');
    await end(downstream);
    expect(await waiting).toMatchObject({ error: { code: 'server.connection-lost' } });
  });

  it('let the calls of at most four earlier connections finish', async () => {
    const remote = await waitingServer();
    const { downstream } = observed();
    const waiting: Promise<DownstreamOutcome>[] = [];
    for (const value of ['one', 'two', 'three', 'four', 'five', 'six']) {
      downstream.apply([withValue(remote.server, value)]);
      await untilState(downstream, 'raw', 'Connected');
      waiting.push(call(downstream, 'wait'));
      await eventually('the call runs', () => remote.running() === waiting.length);
    }
    expect(await waiting[0]).toMatchObject({ error: { code: 'server.connection-lost' } });
    remote.endCalls();
    const ends = await Promise.all(waiting.slice(1));
    expect(ends.map(resultOf)).toEqual(Array(5).fill(WAITED));
  });

  it('end the calls of a definition that changes too', async () => {
    const remote = await waitingServer();
    const { downstream } = observed();
    downstream.apply([withValue(remote.server, 'one')]);
    await downstream.settled();
    const waiting = call(downstream, 'wait');
    await eventually('the call runs', () => remote.running() === 1);
    const headers = { 'X-Other': 'a' };
    const url = remote.http.url;
    const changed = defineServer('raw', { type: 'streamable-http', url, headers });
    downstream.apply([withValue(changed, 'two')]);
    expect(await waiting).toMatchObject({ error: { code: 'server.connection-lost' } });
  });
});
