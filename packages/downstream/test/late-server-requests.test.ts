import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { testCaller } from './harness/callers.ts';
import { eventually, testDownstream } from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { defineServer } from './harness/servers.ts';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string };
  readonly error?: unknown;
}

const bodyOf = async (request: IncomingMessage): Promise<Message> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Message;
};

const frame = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`;

/**
 * A 2025 server over HTTP that answers the call of `late` and then asks on the same stream, holds the call of `broken` until
 * its stream is cut, and holds every other call.
 */
const lateServer = async () => {
  const http = await startRawHttp({ events: true });
  const answered: Message[] = [];
  const held: ServerResponse[] = [];
  let standing: ServerResponse | undefined;
  const takePost = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message = await bodyOf(request);
    if (message.method === undefined) {
      answered.push(message);
      response.writeHead(202).end();
      return;
    }
    const { id } = message;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    if (message.method !== 'tools/call') {
      response.end(frame({ jsonrpc: '2.0', id, result: {} }));
      return;
    }
    if (message.params?.name !== 'late') {
      held.push(response);
      return;
    }
    response.write(frame({ jsonrpc: '2.0', id, result: { content: [] } }));
    response.write(frame({ jsonrpc: '2.0', id: 'late', method: 'roots/list' }));
  };
  return {
    url: http.url,
    answered,
    held,
    /** From here on the test serves by itself; before, the server introduces itself. */
    takeOver: () =>
      http.setIntercept((request, response) => {
        if (request.method !== 'POST') return false;
        void takePost(request, response);
        return true;
      }),
    keepStanding: () =>
      http.setIntercept((request, response) => {
        if (request.method !== 'GET') return false;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        standing = response;
        return true;
      }),
    hasStanding: () => standing !== undefined,
    say: (message: unknown) => standing?.write(frame(message)),
  };
};

const connected = async () => {
  const server = await lateServer();
  server.keepStanding();
  const { downstream } = testDownstream({ clientFeatures: { roots: {} } });
  downstream.apply([defineServer('raw', { type: 'streamable-http', url: server.url })]);
  await downstream.settled();
  await eventually('the stream of the connection is open', server.hasStanding);
  server.takeOver();
  return { server, downstream };
};

const refusal = (id: string) => ({ id, error: { code: -32600 } });

describe('a request of a server that arrives too late', () => {
  it('on the stream of an answered call does not reach the next caller', async () => {
    const { server, downstream } = await connected();
    const [ann, ben] = [testCaller('ann'), testCaller('ben')];
    void downstream.callTool({ server: 'raw', tool: 'held' }, { caller: ben });
    await eventually('the call is held', () => server.held.length === 1);
    expect(await downstream.callTool({ server: 'raw', tool: 'late' }, { caller: ann })).toEqual({
      ok: true,
      result: { content: [] },
    });
    await eventually('the question is answered', () => server.answered.length === 1);
    expect(server.answered).toMatchObject([refusal('late')]);
    expect([ann.asked, ben.asked]).toEqual([[], []]);
  });

  it('after the stream of its call broke does not reach the next caller', async () => {
    const { server, downstream } = await connected();
    const [ann, ben] = [testCaller('ann'), testCaller('ben')];
    const broken = downstream.callTool({ server: 'raw', tool: 'broken' }, { caller: ann });
    await eventually('the call is held', () => server.held.length === 1);
    server.held[0]?.destroy();
    expect(await broken).toMatchObject({ error: { code: 'server.connection-lost' } });
    void downstream.callTool({ server: 'raw', tool: 'held' }, { caller: ben });
    await eventually('the next call is held', () => server.held.length === 2);
    server.say({ jsonrpc: '2.0', id: 'stray', method: 'roots/list' });
    await eventually('the question is answered', () => server.answered.length === 1);
    expect(server.answered).toMatchObject([refusal('stray')]);
    expect([ann.asked, ben.asked]).toEqual([[], []]);
  });
});
