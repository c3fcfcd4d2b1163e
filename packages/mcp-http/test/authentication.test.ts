import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Principal } from '@gateway/call-contract';
import { describe, expect, it } from 'vitest';
import { createMcpHttp, type McpService } from '../src/index.ts';
import { start, startSample } from './endpoint.ts';
import { as, user, SIGNED_IN } from './principals.ts';
import { sampleService } from './sample-service.ts';
import { call, listening, rawSocket, rpc, until } from './wire-client.ts';

const ADA = as('ada');

describe('a request without valid credentials', () => {
  it.each(['POST', 'GET', 'DELETE'] as const)(
    'is refused as %s, with the challenge',
    async (method) => {
      const { send, sample, refusals } = await startSample(SIGNED_IN);
      const answer = await send({ method, ...(method === 'POST' && { body: '{' }) });
      expect([answer.status, answer.headers['www-authenticate'], answer.json]).toEqual([
        401,
        'Bearer resource_metadata="https://gateway.test/metadata"',
        { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Sign in first.' } },
      ]);
      expect([refusals, sample.waiting()]).toEqual([['not-authenticated'], 0]);
    },
  );

  it('is refused before its body has arrived', async () => {
    const endpoint = await startSample(SIGNED_IN);
    const socket = await rawSocket(endpoint);
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it.each(['broken', 'later-broken'])(
    'that break the check (%s) is an internal error',
    async (name) => {
      const { post, errors, refusals } = await startSample(SIGNED_IN);
      expect((await post(rpc('ping'), as(name))).status).toBe(500);
      expect([errors.length, refusals]).toEqual([1, ['internal']]);
    },
  );
});

describe('a request with valid credentials', () => {
  it.each(['ada', 'later-ada'])(
    'is cut when its answer fails after the header (%s)',
    async (name) => {
      const bug = new Error('a bug');
      const errors: unknown[] = [];
      const refusals: string[] = [];
      const mcp = createMcpHttp(sampleService().service, {
        ...SIGNED_IN,
        onError: (error) => errors.push(error),
        onRefusal: (code) => refusals.push(code),
      });
      const server = createServer((request, response) => {
        response.end = () => {
          throw bug;
        };
        mcp.handle(request, response);
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      await expect(fetch(`http://127.0.0.1:${port}/mcp`, { headers: as(name) })).rejects.toThrow();
      expect([errors, refusals]).toEqual([[bug], ['method-not-allowed', 'internal']]);
      server.close();
      await mcp.close();
    },
  );

  it.each(['ada', 'later-ada'])('is served, its principal in every context (%s)', async (name) => {
    const seen: [string, Principal][] = [];
    const change = (service: McpService): McpService => ({
      ...service,
      list: (method, context) => {
        seen.push([method, context.principal]);
        return service.list(method, context);
      },
      call: ({ method }, { principal }) => {
        seen.push([method, principal]);
        return { ok: true, result: { content: [] } };
      },
      refuseHeaders: ({ principal }) => void seen.push(['headers', principal]),
    });
    const { post, postModern, readEvents } = await start({ ...SIGNED_IN, change });
    await post(rpc('tools/list'), as(name));
    await post(call('echo'), as(name));
    const called = { name: 'echo', arguments: {} };
    await postModern('tools/call', called, { headers: as(name) });
    const { headers, body } = listening({ toolsListChanged: true });
    await readEvents({ ...headers, ...as(name) }, body);
    await until(() => seen.some(([at]) => at === 'headers'));
    for (const [, principal] of seen) expect(principal).toEqual(user('ada'));
    expect(seen.length).toBeGreaterThan(3);
  });

  it('counts its calls by the principal', async () => {
    const limits = { maxConcurrentCallsPerCaller: 1, maxQueuedCallsPerCaller: 0 };
    const { post, interactive, untilWaiting } = await start({ ...SIGNED_IN, limits });
    const running = post(call('wait'), ADA);
    await untilWaiting(1);
    expect((await post(call('wait'), ADA)).status).toBe(503);
    const other = post(call('wait'), as('grace'));
    await untilWaiting(2);
    interactive.release();
    expect([(await running).status, (await other).status]).toEqual([200, 200]);
  });
});

describe('a call that needs a scope', () => {
  const sentence = 'This tool needs the scope mcp:admin.';
  const change = (service: McpService): McpService => ({
    ...service,
    missingScopes: ({ params }, { principal }) =>
      params['name'] === 'echo' || principal.subject === 'admin'
        ? undefined
        : { scopes: ['mcp:admin'], sentence },
    call: () => ({ ok: true, result: { content: [] } }),
  });

  it.each(['application/json', 'text/event-stream', 'application/json, text/event-stream'])(
    'is answered 403 with the scope, whatever framing is accepted (%s)',
    async (accept) => {
      const { post, postModern } = await start({ ...SIGNED_IN, change });
      const { status, headers, json } = await post(call('write'), { ...ADA, accept });
      expect([status, headers['www-authenticate'], json]).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="mcp:admin"',
        { jsonrpc: '2.0', id: 1, error: { code: -32_000, message: sentence } },
      ]);
      const modern = { name: 'write', arguments: {} };
      expect((await postModern('tools/call', modern, { headers: ADA })).status).toBe(403);
      expect((await post(call('write'), as('admin'))).status).toBe(200);
      expect((await post(call('echo'), ADA)).status).toBe(200);
    },
  );

  it('is refused alone within a batch', async () => {
    const { post } = await start({ ...SIGNED_IN, change });
    const revision = { 'mcp-protocol-version': '2025-03-26', accept: 'application/json' };
    const batch = [call('write'), { ...call('echo'), id: 2 }];
    const { status, json } = await post(batch, { ...ADA, ...revision });
    expect([status, json[0].error.message]).toEqual([200, sentence]);
    expect(json[1].result).toEqual({ content: [] });
  });
});

it('a stream ends when the credentials that opened it expire', async () => {
  const { startSession, readEvents } = await start(SIGNED_IN);
  const session = await startSession({ headers: ADA });
  const started = Date.now();
  const reader = await readEvents({ ...as('ada@0.2'), ...session });
  await reader.ended();
  expect(Date.now() - started).toBeLessThan(5_000);
});
