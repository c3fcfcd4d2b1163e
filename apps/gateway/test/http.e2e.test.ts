import { describe, expect, it } from 'vitest';
import { callTool, refusalOf } from './harness/answers.ts';
import { connect, type TestClient } from './harness/clients.ts';
import { fixture } from './harness/fixture.ts';
import { startGateway, type RunningGateway } from './harness/gateway.ts';
import { httpMcpServer } from './harness/http-mcp-server.ts';
import { setUp, testDirectory } from './harness/lifetime.ts';
import { rawCall, rawRequest, type RawRequest } from './harness/raw-http.ts';

const directory = testDirectory();
let gateway: RunningGateway;
let client: TestClient;

setUp(async () => {
  const remote = await httpMcpServer();
  directory.server('one', fixture('plain'));
  directory.server('two', { type: 'streamable-http', url: remote.url, autoStart: true });
  gateway = await startGateway(directory.path, { args: ['--log-level', 'debug'] });
  client = await connect(gateway.url);
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

it('/healthz reports that the process runs, /readyz that the start of every server was attempted', async () => {
  expect(await get('/healthz')).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  expect(await get('/readyz')).toMatchObject({ status: 200, body: '{"status":"ready"}' });
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

it.each([
  ['Host', 'evil.example', 'localhost:1234'],
  ['Origin', 'https://evil.example', 'http://localhost:5173'],
])('requests of foreign sites are refused by their %s', async (name, foreign, local) => {
  expect(await rawRequest(gateway.url, listTools([[name, foreign]]))).toMatchObject({
    status: 403,
    body: `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"${name} \\"${foreign}\\" is not allowed"}}`,
  });
  expect(await rawRequest(gateway.url, listTools([[name, local]]))).toMatchObject({ status: 200 });
});
