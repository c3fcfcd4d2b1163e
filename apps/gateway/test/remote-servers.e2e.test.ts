import { retryAssertion } from '@gateway/repo-checks';
import { describe, expect, it } from 'vitest';
import { ask, callTool, serverInfo, textOf, toolNames } from './harness/answers.ts';
import { connect, HTTP_CLIENTS, type TestClient } from './harness/clients.ts';
import { startGateway, type RunningGateway } from './harness/gateway.ts';
import { httpMcpServer, type HttpMcpServer } from './harness/http-mcp-server.ts';
import { setUp, testDirectory } from './harness/lifetime.ts';

const directory = testDirectory();
let servers: Record<'good' | 'other' | 'locked', HttpMcpServer>;
let gateway: RunningGateway;
let client: TestClient;

setUp(async () => {
  servers = {
    good: await httpMcpServer(),
    other: await httpMcpServer(),
    locked: await httpMcpServer('unauthorized'),
  };
  for (const [name, { url }] of Object.entries(servers))
    directory.server(name, {
      type: 'streamable-http',
      url,
      headers: { 'X-Api-Key': `configured-for-${name}` },
      autoStart: true,
    });
  gateway = await startGateway(directory.path);
  client = await connect(gateway.url);
});

const hello = async (server: string) => textOf(await callTool(client, `x_${server}_hello`));

describe('headers', () => {
  it.each(Object.entries(HTTP_CLIENTS))(
    'of the caller never reach a server, those of the configuration do (%s)',
    async (_name, open) => {
      const before = servers.good.requests.length;
      const caller = await open(gateway.url, {
        Authorization: 'Bearer caller',
        Cookie: 'sid=caller',
        'X-Forwarded-For': '10.1.2.3',
        'X-Gateway-Toolset': 'server:good',
        'X-Api-Key': 'caller',
        'X-Of-The-Caller': 'caller',
      });
      expect(textOf(await callTool(caller, 'x_good_hello'))).toBe('hello');
      const requests = servers.good.requests.slice(before);
      expect(requests.map(({ method }) => method)).toContain('tools/call');
      for (const { headers } of requests) {
        expect(headers['x-api-key']).toBe('configured-for-good');
        for (const name of [
          'authorization',
          'cookie',
          'x-forwarded-for',
          'x-gateway-toolset',
          'x-of-the-caller',
        ])
          expect(headers).not.toHaveProperty(name);
        expect(JSON.stringify(headers)).not.toContain('caller');
      }
    },
  );
});

describe('a server that answers 401', () => {
  it('is named in servers_requiring_auth, its tools are absent, the rest is unaffected', async () => {
    expect(await serverInfo(client, 'locked')).toMatchObject({ state: 'Auth Required' });
    const answer = await ask<{ tools: { name: string }[]; servers_requiring_auth: unknown }>(
      client,
      'list_tools',
      { limit: 1_000 },
    );
    expect(answer.servers_requiring_auth).toEqual([
      { name: 'locked', status: 'auth_required', auth_tool: 'core_auth_login' },
    ]);
    expect(
      answer.tools.filter(({ name }) => name.startsWith('x_')).map(({ name }) => name),
    ).toEqual(['x_good_hello', 'x_other_hello']);
    expect(await hello('good')).toBe('hello');
  });
});

describe('a server that disappears and returns', () => {
  it('fails calls in between with a clear text, and reconnects', async () => {
    await servers.good.stop();
    const answer = await callTool(client, 'x_good_hello');
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(/^Tool execution failed: connection to server good was lost: /u);
    await retryAssertion(async () => {
      expect(await toolNames(client)).not.toContain('x_good_hello');
    });
    expect(await hello('other')).toBe('hello');
    await servers.good.start();
    await retryAssertion(async () => {
      expect(await hello('good')).toBe('hello');
    });
  });
});
