import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ClientResult } from '../../src/client/parse-response.ts';
import { createAgentManagerClient } from '../../src/client/create-agent-manager-client.ts';
import type { AgentList } from '../../src/schemas/answers.ts';
import { answering, serving } from './http-server.ts';

const AGENT = {
  ...{ name: 'sre', namespace: 'team', exists: true, ready: null, accepted: true },
  ...{ managed: 'helmrelease', implicitFullAccess: true },
};
const agents = { agents: [AGENT] };

const listed = async (baseUrl: string, options = {}): Promise<ClientResult<AgentList>> =>
  createAgentManagerClient({ baseUrl, ...options }).listAgents();

const failureOf = async (answer: Promise<ClientResult<unknown>>) => {
  const received = await answer;
  return received.ok ? undefined : received.error;
};

describe('an answer of agent-manager', () => {
  it.each([agents, { ...agents, next: 'page' }])(
    'is a value, with the fields that a newer agent-manager adds',
    async (value) => {
      const baseUrl = await answering(200, JSON.stringify(value));
      expect(await listed(baseUrl)).toEqual({ ok: true, value });
    },
  );

  it.each([
    [400, 'invalid_request'],
    [401, 'unauthenticated'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [405, 'invalid_request'],
    [409, 'conflict'],
    [413, 'invalid_request'],
    [501, 'unsupported'],
    [502, 'backend_error'],
  ])('is a refusal: %i %s', async (status, code) => {
    const refusal = { code, message: 'why "🦊"' };
    const baseUrl = await answering(status, JSON.stringify({ error: refusal }));
    expect(await listed(baseUrl)).toEqual({ ok: false, error: refusal });
  });
});

const HTML = '<html><body><h1>502 Bad Gateway</h1></body></html>';

describe('an answer of another server', () => {
  it.each<[string, number, string | Uint8Array, string]>([
    ['a proxy’s page', 502, HTML, `status 502, ${JSON.stringify(HTML)}`],
    ['a page in place of JSON', 200, HTML, `status 200, ${JSON.stringify(HTML)}`],
    ['nothing', 200, '', 'status 200, nothing'],
    ['half of a body', 200, '{"agents":[', 'status 200, "{\\"agents\\":["'],
    ['another status', 202, JSON.stringify(agents), 'status 202, "{\\"agents\\":[{'],
    ['nothing on purpose', 204, '', 'status 204, nothing'],
    ['no object', 200, 'null', 'status 200, not of its schema: Invalid input'],
    [
      'another object',
      200,
      '{"agents":{}}',
      'status 200, not of its schema: agents: Invalid input',
    ],
    [
      'a broken agent',
      200,
      JSON.stringify({ agents: [{ ...AGENT, managed: 'x' }] }),
      'status 200, not of its schema: agents.0.managed: Invalid option',
    ],
    [
      'a code that is not one',
      429,
      '{"error":{"code":"toString","message":"m"}}',
      'status 429, "{',
    ],
    [
      'a refusal as a success',
      200,
      '{"error":{"code":"conflict","message":"m"}}',
      'status 200, not',
    ],
    ['a refusal without words', 409, '{"error":{"code":"conflict"}}', 'status 409, "{'],
    ['bytes', 200, Uint8Array.of(0x22, 0xff, 0x22), 'status 200, a body that is not UTF-8'],
    ['a long page', 500, 'x'.repeat(300), `status 500, "${'x'.repeat(200)}"…`],
  ])('is unexpected: %s', async (_title, status, body, text) => {
    const failure = await failureOf(listed(await answering(status, body)));
    expect(failure).toMatchObject({ code: 'unexpected_answer', status });
    expect(failure?.message).toContain(`agent-manager does not answer so: ${text}`);
  });

  it.each([301, 302, 303, 307, 308])('is a redirect that is not followed: %i', async (status) => {
    let strangers = 0;
    const stranger = await serving((_request, response) => {
      strangers += 1;
      response.end();
    });
    const baseUrl = await answering(status, '', { location: stranger });
    const client = createAgentManagerClient({ baseUrl, headers: { authorization: 'Bearer x' } });
    const draft = { name: 'a', modelConfig: 'm', toolset: ['preset:none'] };
    expect(await failureOf(client.createAgent(draft))).toEqual({
      code: 'unexpected_answer',
      status,
      message: `agent-manager does not answer so: status ${status}, a redirect`,
    });
    expect(strangers).toBe(0);
  });

  it('is read up to the limit only', async () => {
    let isCut = false;
    const baseUrl = await serving((_request, response) => {
      response.on('close', () => (isCut = !response.writableFinished));
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    expect(await failureOf(listed(baseUrl, { maxAnswerBytes: 100_000 }))).toEqual({
      code: 'unexpected_answer',
      status: 200,
      message: 'agent-manager does not answer so: status 200, more than 100000 bytes',
    });
    await expect.poll(() => isCut).toBe(true);
  });

  it('can be as long as the limit', async () => {
    const text = JSON.stringify(agents);
    const baseUrl = await answering(200, text);
    expect((await listed(baseUrl, { maxAnswerBytes: text.length })).ok).toBe(true);
  });
});

const startTcpServer = async (listener?: (socket: Socket) => void) => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  return { server, address: `127.0.0.1:${port}` };
};

describe('a missing answer', () => {
  it('is reported when no server listens', async () => {
    const { server, address } = await startTcpServer();
    server.close();
    await once(server, 'close');
    expect(await failureOf(listed(`http://${address}`))).toEqual({
      code: 'unreachable',
      message: `no whole answer from http://${address}: fetch failed: connect ECONNREFUSED ${address}`,
    });
  });

  it('is reported when the connection closes before the answer', async () => {
    const baseUrl = await serving((request) => request.socket.destroy());
    expect(await failureOf(listed(baseUrl))).toMatchObject({ code: 'unreachable' });
  });

  it('is reported when the connection closes within the answer', async () => {
    const baseUrl = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"agents":', () => response.destroy());
    });
    expect(await failureOf(listed(baseUrl))).toMatchObject({ code: 'unreachable' });
  });

  it('is reported when the peer does not speak HTTP', async () => {
    const { server, address } = await startTcpServer((socket) => socket.end('SSH-2.0-x\r\n'));
    expect(await failureOf(listed(`http://${address}`))).toMatchObject({ code: 'unreachable' });
    server.close();
  });

  it.each([
    ['before the answer', false],
    ['within the answer', true],
  ])('is told when time is up %s', async (_title, begins) => {
    const baseUrl = await serving((_request, response) => {
      if (begins) response.writeHead(200).write('{');
    });
    expect(await failureOf(listed(baseUrl, { timeoutMs: 40 }))).toEqual({
      code: 'timeout',
      message: 'no whole answer within 40 ms',
    });
  });

  it('is reported when the caller aborts the call, and the server sees it', async () => {
    const ending = new AbortController();
    let isGone = false;
    const baseUrl = await serving((_request, response) => {
      response.on('close', () => (isGone = true));
      ending.abort();
    });
    const call = createAgentManagerClient({ baseUrl }).listAgents({}, { signal: ending.signal });
    expect(await failureOf(call)).toEqual({
      code: 'aborted',
      message: 'the caller ended the call',
    });
    await expect.poll(() => isGone).toBe(true);
  });

  it('is reported when the call was aborted before it started', async () => {
    const client = createAgentManagerClient({ baseUrl: 'http://127.0.0.1:1' });
    expect(
      await failureOf(client.getInfo({}, { signal: AbortSignal.abort(new Error('x')) })),
    ).toMatchObject({ code: 'aborted' });
  });

  it('is reported when the given fetch fails', async () => {
    const fetch = () => Promise.reject(new Error('no token'));
    expect(await failureOf(listed('http://a', { fetch }))).toEqual({
      code: 'unreachable',
      message: 'no whole answer from http://a: no token',
    });
  });
});
