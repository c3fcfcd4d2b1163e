import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  eventually,
  failed,
  resultOf,
  running,
  testDownstream,
  untilState,
  viewOf,
} from './harness/downstream.ts';
import { call, connected, fine, remote } from './harness/http-connection.ts';
import { startRaw } from './harness/raw-socket.ts';
import { stdioFixture } from './harness/servers.ts';

const answer = (id: number, result: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result });

const response = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const EMPTY = (status: string): string => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`;

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'hostile', version: '1' },
  },
  'tools/list': { tools: [{ name: 'result', inputSchema: { type: 'object' } }] },
  ping: {},
};

/** A connected HTTP server on a plain socket, which answers calls as the test wants. */
const hostileServer = async (
  onCall: (request: { id: number; connection: number }, socket: Socket) => void,
) => {
  const { origin } = await startRaw((socket, request, connection) => {
    if (!request.startsWith('POST')) return void socket.write(EMPTY('405 No'));
    const body = request.slice(request.indexOf('\r\n\r\n') + 4);
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) socket.write(EMPTY('202 Accepted'));
    else if (method === 'tools/call') onCall({ id, connection }, socket);
    else if (Object.hasOwn(RESULTS, method))
      socket.write(response(answer(id, RESULTS[method] ?? {})));
    else {
      const error = { code: -32_601, message: 'Method not found' };
      socket.write(response(JSON.stringify({ jsonrpc: '2.0', id, error })));
    }
  });
  const { downstream } = testDownstream();
  downstream.apply([remote(`${origin}/mcp`)]);
  await untilState(downstream, 'raw', 'Connected');
  return downstream;
};

const mine = (n: number) => ({ ok: true, result: { mine: n } });

describe('a second response to a call on its HTTP connection', () => {
  it.each([
    ['with the same id', (id: number) => id],
    ['with the next id', (id: number) => id + 1],
  ])('never reaches the next caller: %s', async (_how, next) => {
    const downstream = await hostileServer(({ id }, socket) => {
      socket.write(response(answer(id, { mine: 1 })));
      // It arrives when the next call may be on its way.
      setTimeout(() => socket.write(response(answer(next(id), { stolen: 1 }))), 0);
    });
    for (let round = 0; round < 30; round += 1)
      expect(JSON.stringify(await downstream.callTool(call))).not.toContain('stolen');
  });

  it('in the same part closes the connection, and the next call uses another one', async () => {
    const used: number[] = [];
    const downstream = await hostileServer(({ id, connection }, socket) => {
      used.push(connection);
      socket.write(response(answer(id, { mine: 1 })) + response(answer(id + 1, { stolen: 1 })));
    });
    for (let round = 0; round < 3; round += 1)
      expect(await downstream.callTool(call)).toEqual(mine(1));
    expect(new Set(used).size).toBe(3);
  });

  it('closes a connection that has no request', async () => {
    const used: number[] = [];
    const sockets: Socket[] = [];
    const downstream = await hostileServer(({ id, connection }, socket) => {
      used.push(connection);
      sockets.push(socket);
      socket.write(response(answer(id, { mine: 1 })));
    });
    await downstream.callTool(call);
    const closed = new Promise((resolve) => sockets[0]?.once('close', resolve));
    sockets[0]?.write(response(answer(1, { stolen: 1 })));
    await closed;
    expect(await downstream.callTool(call)).toEqual(mine(1));
    expect(used[1]).not.toBe(used[0]);
  });

  it('with the id of an earlier call ends the connection that carries another call', async () => {
    let earlier = 0;
    const used: number[] = [];
    const downstream = await hostileServer(({ id, connection }, socket) => {
      const calls = used.push(connection);
      socket.write(response(answer(calls === 2 ? earlier : id, { mine: calls })));
      earlier = id;
    });
    expect(await downstream.callTool(call)).toEqual(mine(1));
    const reason =
      'tools/call was answered with a JSON-RPC answer with the "id" of another request';
    expect(await downstream.callTool(call)).toEqual(failed('response.invalid', { reason }));
    expect(await downstream.callTool(call)).toEqual(mine(3));
    expect(used[2]).not.toBe(used[1]);
  });
});

describe('an answer of a stdio server', () => {
  const started = async (mode: string) => {
    const servers = [stdioFixture('raw', 'answering-stdio.mjs', [mode])];
    const { downstream } = await running(servers, { timeouts: { requestMs: 100 } });
    await untilState(downstream, 'raw', 'Running');
    const view = () => viewOf(downstream, 'raw');
    return { downstream, view, connectionId: view().connectionId };
  };

  it('to a call that has timed out is ignored', async () => {
    const { downstream, view, connectionId } = await started('late');
    expect(await downstream.callTool(call)).toMatchObject({ error: { code: 'request.timeout' } });
    await eventually('the late answer was sent', async () => {
      const outcome = await downstream.callTool({ server: 'raw', tool: 'count' });
      return Number(resultOf(outcome)['late']) > 0;
    });
    expect(view()).toMatchObject({ state: 'Running', connectionId });
  });

  it('that is sent twice is ignored the second time', async () => {
    const { downstream, view, connectionId } = await started('twice');
    for (let round = 0; round < 5; round += 1)
      expect(await downstream.callTool(call)).toMatchObject({ ok: true });
    expect(view()).toMatchObject({ state: 'Running', connectionId });
  });

  it.each(['guess', 'small'])(
    'to a request that was not sent ends the connection with the reason: %s',
    async (mode) => {
      const { downstream, view } = await started(mode);
      const reason = expect.stringMatching(
        /^the server answered a request that was not sent \(id \d+\)$/,
      ) as string;
      expect(await downstream.callTool(call)).toEqual(failed('server.connection-lost', { reason }));
      await untilState(downstream, 'raw', 'Failed');
      expect(view().reason).toEqual(reason);
    },
  );
});

it('gives requests ids that do not follow from each other', async () => {
  const ids: number[] = [];
  const answerCall = (_params: unknown, _notify: unknown, id: unknown) => {
    ids.push(Number(id));
    return { fine: 1 };
  };
  const { downstream } = await connected({ methods: { 'tools/call': answerCall } });
  for (let round = 0; round < 50; round += 1) expect(await downstream.callTool(call)).toEqual(fine);
  const steps = ids.slice(1).map((id, index) => id - (ids[index] ?? 0));
  expect(new Set(steps).size).toBe(49);
  expect(steps.some((step) => step < 0)).toBe(true);
  for (const id of ids) expect(id).toBeLessThan(2 ** 31);
});
