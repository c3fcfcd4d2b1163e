import { Session as Inspector } from 'node:inspector/promises';
import { describe, expect, it } from 'vitest';
import type { ServerResponse } from 'node:http';
import { eventually, running, untilState, viewOf } from '../harness/downstream.ts';
import { call, connected, fine, remote } from '../harness/http-connection.ts';
import { modernMethods } from '../harness/modern.ts';
import { EVENTS, respond, startRawHttp } from '../harness/raw-http.ts';

describe('redirects', () => {
  it.each([307, 308])(
    'of status %i within the origin are followed with the body',
    async (status) => {
      const { raw, downstream } = await connected();
      const move = respond(status, 'moved', { location: '/mcp/' });
      raw.setIntercept((request, response) => request.url === '/mcp' && move(request, response));
      expect(await downstream.callTool(call)).toEqual(fine);
    },
  );

  it('in circles are given up', async () => {
    const { raw, downstream } = await connected();
    let asked = 0;
    raw.setIntercept((request, response) => {
      if (request.method !== 'POST') return false;
      asked += 1;
      return respond(307, '', { location: '/mcp' })(request, response);
    });
    const reason = expect.stringMatching(/^HTTP 307: redirect to .*\/mcp not followed/) as string;
    const error = { code: 'server.connection-lost', reason };
    expect(await downstream.callTool(call)).toMatchObject({ error });
    expect(asked).toBe(6);
  });
});

describe('a session', () => {
  it('is named in every request and ended with the connection', async () => {
    const raw = await startRawHttp();
    const seen: string[] = [];
    raw.setIntercept((request, response) => {
      seen.push(`${request.method ?? ''} ${String(request.headers['mcp-session-id'])}`);
      response.setHeader('mcp-session-id', 'one');
      return request.method === 'DELETE' && respond(204)(request, response);
    });
    const { downstream } = await running([remote(raw.url, { headers: { 'X-Team': 'blue' } })]);
    await downstream.callTool(call);
    await eventually('the stream was asked for', () => seen.includes('GET one'));
    await downstream.close();
    const free = seen.filter((line) => line.endsWith('undefined'));
    expect(free).toEqual(['POST undefined', 'POST undefined']);
    expect(seen.at(-1)).toBe('DELETE one');
    for (const sent of raw.headers) expect(sent['x-team']).toBe('blue');
  });

  it('that the server does not end in time does not hold up the close', async () => {
    const { raw, downstream } = await connected({}, { timeouts: { closeGraceMs: 100 } });
    raw.setIntercept((request) => request.method === 'DELETE');
    const began = performance.now();
    await downstream.close();
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

it('the stream for messages that answer nothing is reopened when it ends, without missed changes', async () => {
  const raw = await startRawHttp();
  const streams: ServerResponse[] = [];
  const asked: unknown[] = [];
  raw.setIntercept((request, response) => {
    if (request.method !== 'GET') return false;
    asked.push(request.headers['last-event-id']);
    streams.push(response.writeHead(200, EVENTS));
    response.write('retry: 50\n\n');
    return true;
  });
  const { downstream } = await running([remote(raw.url)]);
  await eventually('it is open', () => streams.length === 1);
  raw.mcp.setTools([{ name: 'new', inputSchema: { type: 'object' } }]);
  streams[0]?.end();
  await eventually('it is open again', () => streams.length === 2);
  await eventually('the tools are read again', () => viewOf(downstream, 'raw').toolsCount === 1);
  streams[1]?.end('id: 7\ndata: {"jsonrpc":"2.0","method":"notifications/x"}\n\n');
  await eventually('it goes on', () => streams.length === 3);
  expect(asked).toEqual([undefined, undefined, '7']);
  expect(await downstream.callTool(call)).toEqual(fine);
});

it('the era of a server is remembered, and probed again when it has changed', async () => {
  let isModern = false;
  const unless = (refused: boolean, answer: unknown): unknown => {
    // The raw server sends what is thrown as it is.
    if (refused) throw { code: -32601, message: 'Method not found' } as unknown as Error;
    return answer;
  };
  const initialized = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'raw', version: '1' },
  };
  const { raw, downstream } = await connected({
    methods: {
      initialize: () => unless(isModern, initialized),
      'server/discover': () => unless(!isModern, modernMethods({ tools: {} })['server/discover']()),
    },
  });
  const questions = (): number => raw.count('server/discover');
  expect(questions()).toBe(1);
  await downstream.restart('raw');
  expect(viewOf(downstream, 'raw').protocolVersion).toBe('2025-11-25');
  expect(questions()).toBe(1);
  isModern = true;
  expect(await downstream.restart('raw')).toEqual({ code: 'restarted', server: 'raw' });
  expect(viewOf(downstream, 'raw').protocolVersion).toBe('2026-07-28');
  await downstream.restart('raw');
  isModern = false;
  await downstream.restart('raw');
  await untilState(downstream, 'raw', 'Connected');
  expect(viewOf(downstream, 'raw').protocolVersion).toBe('2025-11-25');
});

it('very many calls leave nothing behind', async () => {
  const { raw, downstream } = await connected({ events: true });
  const run = async (calls: number): Promise<void> => {
    const worker = async (): Promise<void> => {
      for (let index = 0; index < calls / 8; index += 1) await downstream.callTool(call);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  };
  const inspector = new Inspector();
  inspector.connect();
  const heap = async (): Promise<number> => {
    // The server lives in this process too and keeps what it has seen.
    for (const kept of [raw.mcp.seen, raw.headers]) (kept as unknown[]).length = 0;
    await inspector.post('HeapProfiler.collectGarbage');
    return process.memoryUsage().heapUsed;
  };
  await run(1_000);
  const before = await heap();
  await run(2_000);
  const grown = (await heap()) - before;
  inspector.disconnect();
  // A third of that is the noise of a run; what one call needs while it runs is more.
  expect(grown / 2_000).toBeLessThan(1_000);
});
