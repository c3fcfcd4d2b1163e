import type { McpServer } from '@gateway/crd-schemas';
import { describe, expect, it } from 'vitest';
import type { Downstream, DownstreamOutcome } from '../src/index.ts';
import {
  eventually,
  isAlive,
  resultOf,
  running,
  untilState,
  viewOf,
} from './harness/downstream.ts';
import { remote } from './harness/http-connection.ts';
import { respond, startRawHttp } from './harness/raw-http.ts';
import { stdioFixture } from './harness/servers.ts';

/** Returns a definition whose values were read from Secrets and ConfigMaps. */
const withValue = (server: McpServer, value: string): McpServer => ({
  ...server,
  referenced: { values: { 'X-Api-Key': value, KEY: value } },
});

const call = (downstream: Downstream, tool: string) =>
  downstream.callTool({ server: 'raw', tool, arguments: {} });

const WAITED = { content: [], waited: true };

/** A connected remote server with a tool `wait`, whose calls end when the test says so, and one such call. */
const waitingServer = async () => {
  const ends: (() => void)[] = [];
  const wait = () => new Promise((resolve) => ends.push(() => resolve(WAITED)));
  const http = await startRawHttp({ protocolVersion: '2025-11-25', callable: { wait } });
  const server = remote(http.url);
  const { downstream, reasons } = await running([withValue(server, 'one')]);
  const startCall = async (): Promise<{ readonly outcome: Promise<DownstreamOutcome> }> => {
    const before = ends.length;
    const outcome = call(downstream, 'wait');
    await eventually('the call runs', () => ends.length > before);
    return { outcome };
  };
  return {
    http,
    downstream,
    reasons,
    startCall,
    waiting: (await startCall()).outcome,
    keys: () => http.headers.map((headers) => headers['x-api-key']),
    rotate: (value: string) => downstream.apply([withValue(server, value)]),
    endCalls: () => {
      for (const end of ends.splice(0)) end();
    },
  };
};

const LOST = { error: { code: 'server.connection-lost' } };

describe('new values of Secrets and ConfigMaps', () => {
  it('replace the connection of a remote server once, while its calls finish and further calls succeed', async () => {
    const { http, downstream, reasons, waiting, keys, rotate, endCalls } = await waitingServer();
    rotate('two');
    expect(viewOf(downstream, 'raw').state).toBe('Connecting');
    const meanwhile: DownstreamOutcome[] = [];
    while (viewOf(downstream, 'raw').state !== 'Connected')
      meanwhile.push(await call(downstream, 'params'));
    expect(meanwhile.length).toBeGreaterThan(0);
    expect(meanwhile.filter(({ ok }) => !ok)).toEqual([]);
    resultOf(await call(downstream, 'params'));
    expect([keys()[0], keys().at(-1)]).toEqual(['one', 'two']);
    expect(downstream.inventories()).toHaveLength(1);
    endCalls();
    expect(resultOf(await waiting)).toEqual(WAITED);
    expect(http.count('initialize')).toBe(2);
    expect(reasons().join(' ')).toBe(
      'Starting Started ToolsDiscovered Restarting Started ToolsDiscovered',
    );
  });

  it('replace a process, which ends when its calls have ended', async () => {
    const server = stdioFixture('raw', 'raw-stdio.mjs');
    const { downstream } = await running([withValue(server, 'one')]);
    const pids = async () => resultOf(await call(downstream, 'pids'))['pids'] as [number];
    const [pid] = await pids();
    const ending = new AbortController();
    const { signal } = ending;
    const waiting = downstream.callTool({ server: 'raw', tool: 'hang' }, { signal });
    downstream.apply([withValue(server, 'two')]);
    expect(await pids()).toContain(pid);
    await untilState(downstream, 'raw', 'Running');
    expect(resultOf(await call(downstream, 'env'))['env']).toMatchObject({ KEY: 'two' });
    expect(isAlive(pid)).toBe(true);
    ending.abort();
    expect(await waiting).toMatchObject({ error: { code: 'request.cancelled' } });
    await eventually('the process has ended', () => !isAlive(pid));
  });

  it('that change again before the connection is replaced count in the end', async () => {
    const { downstream, waiting, keys, rotate, endCalls } = await waitingServer();
    for (const value of ['two', 'three', 'four']) {
      rotate(value);
      expect(await call(downstream, 'params')).toMatchObject({ ok: true });
    }
    await untilState(downstream, 'raw', 'Connected');
    resultOf(await call(downstream, 'params'));
    expect(keys().at(-1)).toBe('four');
    endCalls();
    expect(resultOf(await waiting)).toEqual(WAITED);
  });

  it('that a server refuses end the connection, and let its calls finish', async () => {
    const { http, downstream, waiting, rotate, endCalls } = await waitingServer();
    http.setIntercept(
      (request, response) =>
        request.headers['x-api-key'] !== 'one' && respond(403, 'no two')(request, response),
    );
    rotate('two');
    await untilState(downstream, 'raw', 'Failed');
    expect(viewOf(downstream, 'raw').reason).not.toContain('two');
    const error = { code: 'server.not-connected' };
    expect(await call(downstream, 'params')).toMatchObject({ error });
    endCalls();
    expect(resultOf(await waiting)).toEqual(WAITED);
    rotate('one');
    await untilState(downstream, 'raw', 'Connected');
  });

  it.each([
    ['stopped', (downstream: Downstream) => downstream.stop('raw')],
    ['restarted', (downstream: Downstream) => downstream.restart('raw')],
    ['removed', (downstream: Downstream) => Promise.resolve(downstream.apply([]))],
  ])('do not keep the calls of a server that is %s', async (_what, end) => {
    const { downstream, waiting, rotate } = await waitingServer();
    rotate('two');
    await untilState(downstream, 'raw', 'Connected');
    await end(downstream);
    expect(await waiting).toMatchObject(LOST);
  });

  it('let the calls of at most four earlier connections finish', async () => {
    const { downstream, waiting, rotate, startCall, endCalls } = await waitingServer();
    const later: Promise<DownstreamOutcome>[] = [];
    for (const value of ['two', 'three', 'four', 'five', 'six']) {
      rotate(value);
      await untilState(downstream, 'raw', 'Connected');
      later.push((await startCall()).outcome);
    }
    expect(await waiting).toMatchObject(LOST);
    endCalls();
    expect((await Promise.all(later)).map(resultOf)).toEqual(Array(5).fill(WAITED));
  });

  it('end the calls of a definition that changes too', async () => {
    const { http, downstream, waiting } = await waitingServer();
    downstream.apply([withValue(remote(http.url, { headers: { 'X-Other': 'a' } }), 'two')]);
    expect(await waiting).toMatchObject(LOST);
  });
});
