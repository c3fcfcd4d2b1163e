import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Principal } from '@gateway/call-contract';
import { afterEach, describe, expect, it } from 'vitest';
import { createMcpHttp, type McpService } from '../src/index.ts';
import { startHttpEndpoint, type Endpoint } from './endpoint.ts';
import { readEvents } from './event-reader.ts';
import { interactiveEndpoints } from './interactive-endpoint.ts';
import { as, user, SIGNED_IN } from './principals.ts';
import { sampleService } from './sample-service.ts';
import { call, post, rawSocket, postModern, rpc, send, until } from './wire-client.ts';

const { start, end } = interactiveEndpoints();
const endpoints: Endpoint[] = [];
afterEach(async () => {
  await Promise.all(endpoints.splice(0).map((endpoint) => endpoint.drain(0)));
  await end();
});

const startSample = async (): Promise<Endpoint> => {
  const endpoint = await startHttpEndpoint({ callers: SIGNED_IN });
  endpoints.push(endpoint);
  return endpoint;
};

describe('a request without valid credentials', () => {
  it.each(['POST', 'GET', 'DELETE'] as const)(
    'is refused as %s, with the challenge',
    async (method) => {
      const { url, sample, refusals } = await startSample();
      const answer = await send(url, { method, ...(method === 'POST' && { body: '{' }) });
      expect([answer.status, answer.headers['www-authenticate'], answer.json]).toEqual([
        401,
        'Bearer resource_metadata="https://gateway.test/metadata"',
        { jsonrpc: '2.0', id: null, error: { code: -32_000, message: 'Sign in first.' } },
      ]);
      expect([refusals, sample.waiting()]).toEqual([['not-authenticated'], 0]);
    },
  );

  it('is refused before its body has arrived', async () => {
    const endpoint = await startSample();
    const socket = await rawSocket(endpoint);
    const lines = ['POST /mcp HTTP/1.1', `Host: 127.0.0.1:${endpoint.port}`, 'Content-Length: 9'];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });

  it.each(['broken', 'later-broken'])(
    'that break the check (%s) is an internal error',
    async (name) => {
      const { url, errors, refusals } = await startSample();
      expect((await post(url, rpc('ping'), as(name))).status).toBe(500);
      expect(errors).toHaveLength(1);
      expect(refusals).toEqual(['internal']);
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
      call: (one, context) => {
        seen.push([one.method, context.principal]);
        return { ok: true, result: { content: [] } };
      },
      refuseHeaders: ({ principal }) => {
        seen.push(['headers', principal]);
        return undefined;
      },
    });
    const { url } = await start({ ...SIGNED_IN, change });
    const headers = as(name);
    await post(url, rpc('tools/list'), headers);
    await post(url, call('echo'), headers);
    await postModern(url, 'tools/call', { name: 'echo', arguments: {} }, { headers });
    const listen = { notifications: { toolsListChanged: true } };
    const reader = await readEvents(url, {
      headers: {
        ...headers,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: rpc('subscriptions/listen', {
        ...listen,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      }),
    });
    await until(() => seen.some(([at]) => at === 'headers'));
    reader.cut();
    expect(new Set(seen.map(([, principal]) => JSON.stringify(principal)))).toEqual(
      new Set([JSON.stringify(user('ada'))]),
    );
    expect(seen.length).toBeGreaterThan(3);
  });

  it('counts its calls by the principal', async () => {
    const limits = { maxConcurrentCallsPerCaller: 1, maxQueuedCallsPerCaller: 0 };
    const { url, interactive } = await start({ ...SIGNED_IN, limits });
    const running = post(url, call('wait'), as('ada'));
    await until(() => interactive.waiting.length === 1);
    expect((await post(url, call('wait'), as('ada'))).status).toBe(503);
    const other = post(url, call('wait'), as('grace'));
    await until(() => interactive.waiting.length === 2);
    interactive.release();
    expect([(await running).status, (await other).status]).toEqual([200, 200]);
  });
});

describe('a call that needs a scope', () => {
  const change = (service: McpService): McpService => ({
    ...service,
    missingScopes: ({ params }, { principal }) =>
      params['name'] === 'echo' || principal.subject === 'admin'
        ? undefined
        : { scopes: ['mcp:admin'], sentence: 'This tool needs the scope mcp:admin.' },
    call: () => ({ ok: true, result: { content: [] } }),
  });

  it.each(['application/json', 'text/event-stream', 'application/json, text/event-stream'])(
    'is answered 403 with the scope, whatever framing is accepted (%s)',
    async (accept) => {
      const { url } = await start({ ...SIGNED_IN, change });
      const answer = await post(url, call('write'), { ...as('ada'), accept });
      expect([answer.status, answer.headers['www-authenticate'], answer.json]).toEqual([
        403,
        'Bearer error="insufficient_scope", scope="mcp:admin"',
        {
          jsonrpc: '2.0',
          id: 1,
          error: { code: -32_000, message: 'This tool needs the scope mcp:admin.' },
        },
      ]);
      const modern = { name: 'write', arguments: {} };
      const headers = as('ada');
      expect((await postModern(url, 'tools/call', modern, { headers })).status).toBe(403);
      expect((await post(url, call('write'), as('admin'))).status).toBe(200);
      expect((await post(url, call('echo'), as('ada'))).status).toBe(200);
    },
  );

  it('is refused alone within a batch', async () => {
    const { url } = await start({ ...SIGNED_IN, change });
    const batch = [call('write'), { ...call('echo'), id: 2 }];
    const headers = {
      ...as('ada'),
      'mcp-protocol-version': '2025-03-26',
      accept: 'application/json',
    };
    const answer = await post(url, batch, headers);
    expect([answer.status, answer.json[0].error.message, answer.json[1].result]).toEqual([
      200,
      'This tool needs the scope mcp:admin.',
      { content: [] },
    ]);
  });
});

describe('a stream that was opened with credentials that expire', () => {
  it('ends when they expire', async () => {
    const { url } = await start(SIGNED_IN);
    const params = { protocolVersion: '2025-11-25', capabilities: {} };
    const opened = await post(url, rpc('initialize', params), as('ada'));
    const session = {
      'mcp-session-id': String(opened.headers['mcp-session-id']),
      'mcp-protocol-version': '2025-11-25',
    };
    const started = Date.now();
    const reader = await readEvents(url, { headers: { ...as('ada@0.2'), ...session } });
    await reader.ended();
    expect(Date.now() - started).toBeLessThan(5_000);
  });
});
