import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually, resultOf, testDownstream, untilState, viewOf } from './harness/downstream.ts';
import { call, connected, fine } from './harness/http-connection.ts';
import { fixture } from './harness/fixture.ts';
import { defineServer } from './harness/servers.ts';

const answer = (id: number, result: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result });

const response = (body: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

interface Request {
  readonly id?: number;
  readonly method: string;
}

/** An HTTP server on a plain socket, which writes what the test wants; `connections` are numbered from 1. */
const hostileServer = async (
  onCall: (request: { id: number; connection: number }, socket: Socket) => void,
) => {
  let connections = 0;
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1' },
    },
    'tools/list': { tools: [{ name: 'result', inputSchema: { type: 'object' } }] },
    ping: {},
  };
  const take = (socket: Socket, connection: number, { id, method }: Request): void => {
    if (id === undefined) socket.write('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n');
    else if (method === 'tools/call') onCall({ id, connection }, socket);
    else if (Object.hasOwn(results, method))
      socket.write(response(answer(id, results[method] ?? {})));
    else {
      const error = { code: -32_601, message: 'Method not found' };
      socket.write(response(JSON.stringify({ jsonrpc: '2.0', id, error })));
    }
  };
  const server = createServer((socket) => {
    const connection = (connections += 1);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      for (;;) {
        const head = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
        if (head === -1 || text.length < head + 4 + length) return;
        const body = text.slice(head + 4, head + 4 + length);
        const isPost = text.startsWith('POST');
        text = text.slice(head + 4 + length);
        if (isPost) take(socket, connection, JSON.parse(body) as Request);
        else socket.write('HTTP/1.1 405 No\r\ncontent-length: 0\r\n\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { downstream } = testDownstream();
  downstream.apply([
    defineServer('raw', { type: 'streamable-http', url: `http://127.0.0.1:${port}/mcp` }),
  ]);
  await untilState(downstream, 'raw', 'Connected');
  return downstream;
};

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
    for (let round = 0; round < 30; round += 1) {
      const outcome = await downstream.callTool(call);
      expect(JSON.stringify(outcome)).not.toContain('stolen');
    }
  });

  it('in the same part closes the connection, and the next call uses another one', async () => {
    const used: number[] = [];
    const downstream = await hostileServer(({ id, connection }, socket) => {
      used.push(connection);
      socket.write(response(answer(id, { mine: 1 })) + response(answer(id + 1, { stolen: 1 })));
    });
    for (let round = 0; round < 3; round += 1)
      expect(await downstream.callTool(call)).toMatchObject({ ok: true, result: { mine: 1 } });
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
    expect(await downstream.callTool(call)).toMatchObject({ ok: true, result: { mine: 1 } });
    expect(used[1]).not.toBe(used[0]);
  });

  it('with the id of an earlier call ends the connection that carries another call', async () => {
    let earlier = 0;
    let calls = 0;
    const used: number[] = [];
    const downstream = await hostileServer(({ id, connection }, socket) => {
      calls += 1;
      used.push(connection);
      socket.write(response(answer(calls === 2 ? earlier : id, { mine: calls })));
      earlier = id;
    });
    expect(await downstream.callTool(call)).toMatchObject({ ok: true, result: { mine: 1 } });
    expect(await downstream.callTool(call)).toEqual({
      ok: false,
      error: {
        code: 'response.invalid',
        server: 'raw',
        reason: 'tools/call was answered with a JSON-RPC answer with the "id" of another request',
      },
    });
    expect(await downstream.callTool(call)).toMatchObject({ ok: true, result: { mine: 3 } });
    expect(used[2]).not.toBe(used[1]);
  });
});

describe('an answer of a stdio server', () => {
  const started = async (mode: string) => {
    const { downstream } = testDownstream({ timeouts: { requestMs: 100 } });
    downstream.apply([
      defineServer('raw', {
        type: 'stdio',
        command: process.execPath,
        args: [fixture('answering-stdio.mjs'), mode],
      }),
    ]);
    await untilState(downstream, 'raw', 'Running');
    return downstream;
  };

  it('to a call that has timed out is ignored', async () => {
    const downstream = await started('late');
    const { connectionId } = viewOf(downstream, 'raw');
    expect(await downstream.callTool(call)).toMatchObject({ error: { code: 'request.timeout' } });
    await eventually('the late answer was sent', async () => {
      const outcome = await downstream.callTool({ server: 'raw', tool: 'count' });
      return Number(resultOf(outcome)['late']) > 0;
    });
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Running', connectionId });
  });

  it('that is sent twice is ignored the second time', async () => {
    const downstream = await started('twice');
    const { connectionId } = viewOf(downstream, 'raw');
    for (let round = 0; round < 5; round += 1)
      expect(await downstream.callTool(call)).toMatchObject({ ok: true });
    expect(viewOf(downstream, 'raw')).toMatchObject({ state: 'Running', connectionId });
  });

  it.each(['guess', 'small'])(
    'to a request that was not sent ends the connection with the reason: %s',
    async (mode) => {
      const downstream = await started(mode);
      const reason = expect.stringMatching(
        /^the server answered a request that was not sent \(id \d+\)$/,
      ) as string;
      expect(await downstream.callTool(call)).toEqual({
        ok: false,
        error: { code: 'server.connection-lost', server: 'raw', reason },
      });
      await eventually('it failed', () => viewOf(downstream, 'raw').state === 'Failed');
      expect(viewOf(downstream, 'raw').reason).toEqual(reason);
    },
  );
});

it('gives requests ids that do not follow from each other', async () => {
  const ids: number[] = [];
  const { downstream } = await connected({
    methods: {
      'tools/call': (_params: unknown, _notify: unknown, id: unknown) => {
        ids.push(Number(id));
        return { fine: 1 };
      },
    },
  });
  for (let round = 0; round < 50; round += 1) expect(await downstream.callTool(call)).toEqual(fine);
  const steps = ids.slice(1).map((id, index) => id - (ids[index] ?? 0));
  expect(new Set(steps).size).toBe(49);
  expect(steps.some((step) => step < 0)).toBe(true);
  for (const id of ids) expect(id).toBeLessThan(2 ** 31);
});
