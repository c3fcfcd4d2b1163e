import { createTestConfigDirectory, retryAssertion } from '@gateway/repo-checks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callTool, refusalOf, textOf } from './harness/answers.ts';
import { connect, type TestClient } from './harness/clients.ts';
import { fixture } from './harness/fixture.ts';
import { findFreePort } from '@gateway/test-peers';
import { CLI, startGateway, type RunningGateway } from './harness/gateway.ts';
import { httpMcpServer, type HttpMcpServer } from './harness/http-mcp-server.ts';
import { startNode } from './harness/process.ts';
import { rawCall, rawRequest, type RawRequest } from './harness/raw-http.ts';

const directory = createTestConfigDirectory();
const limited = createTestConfigDirectory();
let remote: HttpMcpServer;
let gateway: RunningGateway;
let client: TestClient;

beforeAll(async () => {
  remote = await httpMcpServer();
  directory.server('one', fixture('plain', { env: { CHATTER: 's3cret-of-env' } }));
  directory.server('two', {
    type: 'streamable-http',
    url: remote.url,
    headers: { 'X-Api-Key': 's3cret-of-headers' },
    autoStart: true,
  });
  gateway = await startGateway(directory.path, { args: ['--log-level', 'debug'] });
  client = await connect(gateway.url);
});

afterAll(async () => {
  await client.close();
  await gateway.stop();
  await remote.stop();
  directory.remove();
  limited.remove();
});

const get = (path: string, headers: RawRequest['headers'] = []) =>
  rawRequest(gateway.url, { path, method: 'GET', headers });

const listTools = (headers: readonly (readonly [string, string])[]): RawRequest => ({
  headers: [
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ...headers,
  ],
  body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
});

describe('health', () => {
  it('/healthz reports that the process runs', async () => {
    expect(await get('/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  });

  it('/readyz reports that the start of every server was attempted', async () => {
    expect(await get('/readyz')).toMatchObject({ status: 200, body: '{"status":"ready"}' });
  });

  it('any other path answers 404', async () => {
    expect(await get('/servers')).toMatchObject({ status: 404, body: '' });
    expect(await get('/metrics/x')).toMatchObject({ status: 404, body: '' });
  });
});

describe('the page at /', () => {
  it('names the gateway and links to its endpoints, without a script', async () => {
    const { status, headers, body } = await get('/');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/u);
    expect(body).toContain('<h1>MCP gateway <span class="version">5.13.0</span></h1>');
    expect([...body.matchAll(/href="(\/[^"]*)"/gu)].map(([, path]) => path)).toEqual([
      '/mcp',
      '/readyz',
      '/healthz',
      '/metrics',
    ]);
    expect(body).not.toContain('<script');
  });
});

describe('/metrics', () => {
  const metrics = async () => (await get('/metrics')).body;

  it('is the Prometheus text format', async () => {
    expect((await get('/metrics')).headers['content-type']).toBe(
      'text/plain; version=0.0.4; charset=utf-8',
    );
  });

  it('counts calls, refusals, requests to servers and answers', async () => {
    await callTool(client, 'x_one_echo', { text: 'a' });
    await rawCall(gateway.url, { name: 'call_tool', arguments: { name: 'x_one_pid' } }, [
      ['X-Gateway-Toolset', 'preset:none'],
    ]);
    await rawCall(gateway.url, { name: 'list_prompts' }, [['X-Gateway-Toolset', 'preset:ghost']]);
    const text = await metrics();
    for (const line of [
      /^gateway_meta_tool_calls_total\{tool="call_tool",outcome="ok"\} \d+$/mu,
      /^gateway_meta_tool_calls_total\{tool="call_tool",outcome="error_result"\} 1$/mu,
      /^gateway_meta_tool_duration_seconds_bucket\{le="0.001",tool="call_tool"\} \d+$/mu,
      /^gateway_toolset_refusals_total\{reason="outside"\} 1$/mu,
      /^gateway_toolset_refusals_total\{reason="unknown-preset"\} 1$/mu,
      /^gateway_server_requests_total\{server="one",outcome="ok"\} 1$/mu,
      /^gateway_server_request_duration_seconds_count\{server="one"\} 1$/mu,
      /^gateway_http_responses_total\{status="200"\} \d+$/mu,
      /^gateway_catalog_tools\{kind="tool"\} 9$/mu,
      /^gateway_catalog_tools\{kind="core"\} 30$/mu,
      /^gateway_catalog_tools\{kind="workflow"\} 0$/mu,
      /^gateway_server_state\{server="one",state="Running"\} 1$/mu,
      /^gateway_server_state\{server="two",state="Connected"\} 1$/mu,
      /^gateway_sessions 1$/mu,
      /^process_resident_memory_bytes \d+$/mu,
      /^nodejs_heap_size_used_bytes \d+$/mu,
      /^process_cpu_seconds_total /mu,
    ])
      expect(text).toMatch(line);
  });

  it('has no label value that a caller chose', async () => {
    const headers = [['X-Gateway-Toolset', 'preset:of-the-caller']] as const;
    await rawCall(gateway.url, { name: 'list_tools' }, headers);
    await refusalOf(client, 'call_tool', { name: 'x_one_of-the-caller' });
    await callTool(client, 'x_one_echo', { text: 'of-the-caller' });
    await expect(client.call('meta_tool_of-the-caller')).rejects.toThrow();
    await get('/path/of-the-caller', [['X-Of-The-Caller', 'of-the-caller']]);
    expect(await metrics()).not.toMatch(/of-the-caller/iu);
  });
});

describe('requests of foreign sites', () => {
  it('are refused by their Host', async () => {
    expect(await rawRequest(gateway.url, listTools([['Host', 'evil.example']]))).toMatchObject({
      status: 403,
      body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Host \\"evil.example\\" is not allowed"}}',
    });
    const local = listTools([['Host', 'localhost:1234']]);
    expect(await rawRequest(gateway.url, local)).toMatchObject({ status: 200 });
  });

  it('are refused by their Origin', async () => {
    const foreign = listTools([['Origin', 'https://evil.example']]);
    expect(await rawRequest(gateway.url, foreign)).toMatchObject({
      status: 403,
      body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Origin \\"https://evil.example\\" is not allowed"}}',
    });
    const local = listTools([['Origin', 'http://localhost:5173']]);
    expect(await rawRequest(gateway.url, local)).toMatchObject({ status: 200 });
  });
});

describe('a request body', () => {
  it('of more than 4 MiB is refused', async () => {
    const send = (bytes: number) =>
      fetch(new URL('/mcp', gateway.url), {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'a'.repeat(bytes)}"}}`,
      });
    const tooLarge = await send(4 * 1024 * 1024);
    expect(tooLarge.status).toBe(413);
    expect(await tooLarge.json()).toMatchObject({
      error: { message: 'The request body is larger than the 4194304 bytes allowed' },
    });
    expect((await send(4 * 1024 * 1024 - 100)).status).toBe(200);
  });
});

describe('secrets', () => {
  it('of env and headers never appear in an answer', async () => {
    for (const [name, args] of [
      ['core_mcpserver_get', { name: 'one' }],
      ['core_mcpserver_get', { name: 'two' }],
      ['core_mcpserver_list', { showAll: true, verbose: true }],
      ['core_service_list', {}],
      ['core_service_status', { name: 'two' }],
      ['core_config_get', {}],
    ] as const)
      expect(JSON.stringify(await callTool(client, name, args))).not.toContain('s3cret');
    expect(textOf(await callTool(client, 'core_mcpserver_get', { name: 'one' }))).toContain(
      '"CHATTER":"***"',
    );
  });

  it('never appear in the log, even when a server prints its own', async () => {
    await retryAssertion(() => {
      expect(gateway.stderr.join('\n')).toContain('the secret is [redacted]');
    });
    expect(gateway.stderr.join('\n')).not.toContain('s3cret');
  });

  it('never appear in the metrics', async () => {
    expect((await get('/metrics')).body).not.toContain('s3cret');
  });
});

describe('http in config.yaml', () => {
  it('sets port, body limit, hosts, origins and the limit of concurrent calls', async () => {
    const port = await findFreePort();
    limited.config({
      http: {
        port,
        maxBodyBytes: 2048,
        maxConcurrentRequests: 2,
        allowedHosts: ['gateway.example'],
        allowedOrigins: ['https://portal.example'],
      },
    });
    limited.server('one', fixture('plain'));
    const running = startNode([CLI, 'serve', '--config-dir', limited.path]);
    const url = new URL(`http://127.0.0.1:${String(port)}`);
    await running.line((line) => line.includes('"msg":"listening"'));
    await retryAssertion(async () => {
      expect(await rawRequest(url, { path: '/readyz', method: 'GET' })).toMatchObject({
        status: 200,
      });
    });
    const friend = listTools([
      ['Host', 'gateway.example'],
      ['Origin', 'https://portal.example'],
    ]);
    expect(await rawRequest(url, friend)).toMatchObject({ status: 200 });
    expect(await rawRequest(url, { ...friend, body: 'x'.repeat(2049) })).toMatchObject({
      status: 413,
    });

    const slow = { name: 'call_tool', arguments: { name: 'x_one_slow', arguments: { ms: 3000 } } };
    const running2 = [rawCall(url, slow), rawCall(url, slow)];
    await retryAssertion(async () => {
      const { headers = [] } = listTools([]);
      const third = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'list_prompts' },
      };
      expect(await rawRequest(url, { headers, body: JSON.stringify(third) })).toMatchObject({
        status: 503,
        body: expect.stringContaining(
          'Too many concurrent requests: the limit of 2 is reached; retry later',
        ) as string,
      });
    }, 2_900);
    expect(await Promise.all(running2)).toEqual([
      { text: 'done', isError: false },
      { text: 'done', isError: false },
    ]);
    expect((await running.stop()).code).toBe(0);
  });
});
