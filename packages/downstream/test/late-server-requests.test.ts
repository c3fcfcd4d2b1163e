import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { testCaller } from './harness/callers.ts';
import { eventually, failed, running } from './harness/downstream.ts';
import { remote } from './harness/http-connection.ts';
import { EVENTS, frame, startRawHttp } from './harness/raw-http.ts';
import type { PostedMessage } from './harness/raw-http.ts';

/**
 * A connected 2025 server over HTTP that answers the call of `late` and then asks on the same stream, and holds every other
 * call.
 */
const lateServer = async () => {
  const http = await startRawHttp({ events: true });
  const answered: PostedMessage[] = [];
  const held: ServerResponse[] = [];
  let standing: ServerResponse | undefined;
  http.setIntercept((request, response) => {
    if (request.method !== 'GET') return false;
    response.writeHead(200, EVENTS).flushHeaders();
    standing = response;
    return true;
  });
  const { downstream } = await running([remote(http.url)], { clientFeatures: { roots: {} } });
  await eventually('the stream of the connection is open', () => standing !== undefined);
  http.onPost((message, response) => {
    const { id, method, params } = message as Partial<PostedMessage>;
    if (method === undefined) {
      answered.push(message);
      response.writeHead(202).end();
    } else if (method !== 'tools/call') return false;
    else if (params?.name === 'late') {
      response.writeHead(200, EVENTS).write(frame({ jsonrpc: '2.0', id, result: { content: [] } }));
      response.write(frame({ jsonrpc: '2.0', id: 'late', method: 'roots/list' }));
    } else {
      response.writeHead(200, EVENTS).flushHeaders();
      held.push(response);
    }
    return true;
  });
  const [ann, ben] = [testCaller('ann'), testCaller('ben')];
  /** Starts a call that the server holds. */
  const hold = async (caller: typeof ann) => {
    const before = held.length;
    const outcome = downstream.callTool({ server: 'raw', tool: 'held' }, { caller });
    await eventually('the call is held', () => held.length > before);
    return { outcome };
  };
  /** Waits until a question of the server was refused. */
  const untilRefused = async (id: string): Promise<void> => {
    await eventually('the question is answered', () => answered.length === 1);
    expect(answered).toMatchObject([{ id, error: { code: -32600 } }]);
    expect([ann.asked, ben.asked]).toEqual([[], []]);
  };
  const say = (message: unknown) => standing?.write(frame(message));
  return { downstream, held, ann, ben, hold, untilRefused, say };
};

describe('a request of a server that arrives too late', () => {
  it('on the stream of an answered call does not reach the next caller', async () => {
    const { downstream, ann, ben, hold, untilRefused } = await lateServer();
    await hold(ben);
    expect(await downstream.callTool({ server: 'raw', tool: 'late' }, { caller: ann })).toEqual({
      ok: true,
      result: { content: [] },
    });
    await untilRefused('late');
  });

  it('after the stream of its call broke does not reach the next caller', async () => {
    const { held, ann, ben, hold, untilRefused, say } = await lateServer();
    const { outcome } = await hold(ann);
    held[0]?.destroy();
    const reason = expect.any(String) as string;
    expect(await outcome).toEqual(failed('server.connection-lost', { reason }));
    await hold(ben);
    say({ jsonrpc: '2.0', id: 'stray', method: 'roots/list' });
    await untilRefused('stray');
  });
});
