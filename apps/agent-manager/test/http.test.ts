import { connect } from 'node:net';
import { once } from 'node:events';
import { OPERATIONS } from '@gateway/agent-manager-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { TRANSPORTS, overMcp, overRest, rpc } from './harness/transports.ts';
import { rawRequest, type RawRequest } from './harness/raw-http.ts';
import { startService, type StartedService } from './harness/started-service.ts';

let service: StartedService;

beforeAll(async () => {
  service = await startService({
    allowedHosts: ['agents.example'],
    allowedOrigins: ['https://portal.example'],
  });
  await overRest(service.url, 'create_agent', {
    name: 'sre',
    modelConfig: 'small',
    toolset: ['preset:read-only'],
  });
});
afterAll(() => service.stop());

const JSON_TYPE = { 'content-type': 'application/json' };
const NEW = '{"name":"new","modelConfig":"small","toolset":["preset:none"]}';
const validating = (body: string | Buffer, headers = {}): RawRequest => ({
  method: 'POST',
  path: '/api/v1/agents/validate',
  headers: { ...JSON_TYPE, ...headers },
  body,
});
const MIB = 1_048_576;

const TYPE_TEXT = 'the Content-Type of the body must be application/json';
const LENGTH_TEXT = 'the body is longer than 1048576 bytes';
const CHUNKED = { 'transfer-encoding': 'chunked' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const WITH_BODY = {
  method: 'DELETE',
  path: '/api/v1/agents/default/sre',
  headers: { 'content-length': '14' },
  body: '{"force":true}',
};
const AGENTS = '/api/v1/agents';
const TWICE = `${AGENTS}?namespace=default&namespace=x`;
const BROKEN = `${AGENTS}/default/%zz`;
/** In other folders. */
const OTHER = `${AGENTS}/default/..%2f..%2fetc`;
const asking = (headers: Record<string, string>): RawRequest => ({ path: '/api/v1/info', headers });

/** The code of a refusal by its status, and the start of its message. */
const CODES: Readonly<Record<number, readonly [code: string, start: string]>> = {
  403: ['forbidden', 'forbidden'],
  404: ['not_found', 'not found'],
};

describe('a request over REST is refused', () => {
  it.each<[reason: string, status: number, request: RawRequest]>([
    ['there is nothing at "/api/v1/nope"', 404, { path: '/api/v1/nope?x=1' }],
    [`there is nothing at "${BROKEN}"`, 404, { path: BROKEN }],
    ['PUT is not allowed here (allowed: GET, HEAD, POST)', 405, { method: 'PUT', path: AGENTS }],
    [TYPE_TEXT, 415, validating('name=new', FORM)],
    [TYPE_TEXT, 415, validating(NEW, { 'content-encoding': 'gzip' })],
    [LENGTH_TEXT, 413, validating('x'.repeat(MIB + 1))],
    [LENGTH_TEXT, 413, validating('x'.repeat(MIB + 1), CHUNKED)],
    ['a JSON body is required', 400, validating('')],
    ['invalid JSON: the body does not parse', 400, validating('{"name":')],
    ['invalid JSON: the body is not UTF-8', 400, validating(Buffer.from([0x22, 0xff, 0x22]))],
    ['the body must be an object', 400, validating('[]')],
    ['the body repeats the field "name"', 400, validating('{"name":"a","name":"b"}')],
    ['unknown field "__proto__"', 400, validating('{"__proto__":{}}')],
    ['no body is taken here; arguments stand in the path and in the query', 400, WITH_BODY],
    ['query parameter namespace is given more than once', 400, { path: TWICE }],
    ['agent default/../../etc: no Agent and no HelmRelease of that name', 404, { path: OTHER }],
    ['host "evil.example" is not served here', 403, asking({ host: 'evil.example' })],
    ['origin "https://a.example" is not allowed', 403, asking({ origin: 'https://a.example' })],
  ])('%s', async (reason, status, request) => {
    const answer = await rawRequest(service.url, request);
    const [code, start] = CODES[status] ?? ['invalid_request', 'invalid request'];
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      status,
      { error: { code, message: `${start}: ${reason}` } },
    ]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/u) as unknown,
    });
  });
});

describe('a request over REST is served', () => {
  it.each<[what: string, request: RawRequest]>([
    ['with 1 MiB', validating(NEW + ' '.repeat(MIB - NEW.length))],
    ['with 1 MiB in chunks', validating(NEW + ' '.repeat(MIB - NEW.length), CHUNKED)],
    ['with a byte order mark', validating(`\uFEFF${NEW}`)],
    ['in UTF-8', validating(NEW, { 'content-type': 'Application/JSON ; Charset="UTF-8"' })],
    ['after 100 Continue', validating(NEW, { expect: '100-continue' })],
    ['for a host', asking({ host: 'agents.example:443' })],
    ['from an origin', asking({ origin: 'https://portal.example' })],
    ['from this machine', asking({ origin: 'http://localhost:5173' })],
  ])('%s', async (_what, request) => {
    expect(await rawRequest(service.url, request)).toMatchObject({ status: 200 });
  });

  it('with the id of its sender, if it is valid', async () => {
    const idOf = async (id: string) => {
      const request = { path: '/api/v1/info', headers: { 'x-request-id': id } };
      return (await rawRequest(service.url, request)).headers['x-request-id'];
    };
    expect(await idOf('trace-1:7')).toBe('trace-1:7');
    expect(await idOf('a b')).not.toBe('a b');
  });

  it('by HEAD as by GET, without the body', async () => {
    const get = await rawRequest(service.url, { path: '/api/v1/agents' });
    const head = await rawRequest(service.url, { method: 'HEAD', path: '/api/v1/agents' });
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String(get.body.length));
  });

  it('lists the supported methods in Allow', async () => {
    const { headers } = await rawRequest(service.url, {
      method: 'POST',
      path: '/api/v1/agents/default/sre',
    });
    expect(headers['allow']).toBe('DELETE, GET, HEAD, PATCH');
  });
});

describe('documents', () => {
  it('describe every operation for programs', async () => {
    const { status, headers, body } = await rawRequest(service.url, {
      path: '/api/v1/openapi.yaml',
    });
    expect([status, headers['content-type']]).toEqual([200, 'application/yaml']);
    const { paths } = parse(body) as { paths: Record<string, Record<string, object>> };
    const tools = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap((one) => ('x-mcp-tool' in one ? [one['x-mcp-tool']] : [])),
    );
    expect(tools.toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
  });

  it('describe them for people, with nothing from elsewhere and no script', async () => {
    const { headers, body } = await rawRequest(service.url, { path: '/api/v1/docs' });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/u);
    expect(body).toContain('create_agent');
    expect(body).not.toMatch(/<script|<link[^>]+stylesheet|src="http/u);
  });

  it('are linked from the page at /, which names the service and its version', async () => {
    const { status, headers, body } = await rawRequest(service.url, { path: '/' });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/u);
    expect(body).toContain('<h1>agent-manager <span class="version">0.4.0</span></h1>');
    const links = [...body.matchAll(/href="(\/[^"]*)"/gu)].map(([, path]) => path);
    expect(links).toEqual([
      '/api/v1/docs',
      '/api/v1/openapi.yaml',
      '/mcp',
      '/readyz',
      '/healthz',
      '/metrics',
    ]);
  });
});

describe('over MCP', () => {
  it('the tools are the operations, with explicit hints', async () => {
    const answer = (await rpc(service.url, 'tools/list', '{}')) as {
      result: { tools: { name: string; annotations: object; inputSchema: object }[] };
    };
    const { tools } = answer.result;
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
    expect(tools.find(({ name }) => name === 'delete_agent')?.annotations).toEqual({
      title: 'Delete an agent',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toContain('toolNames"');
  });

  it('a result is the body of REST as compact text', async () => {
    const { body } = await overRest(service.url, 'get_agent', { name: 'sre' });
    expect(
      await rpc(service.url, 'tools/call', '{"name":"get_agent","arguments":{"name":"sre"}}'),
    ).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: JSON.stringify(body) }] },
    });
  });

  it('an unknown tool is a protocol error that repeats a bounded part of its name', async () => {
    expect(await rpc(service.url, 'tools/call', `{"name":"${'x'.repeat(1_000)}"}`)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_602, message: `Unknown tool: "${'x'.repeat(200)}…"` },
    });
    expect(await rpc(service.url, 'tools/call', '{"name":"constructor"}')).toMatchObject({
      error: { message: 'Unknown tool: "constructor"' },
    });
  });

  it.each([
    [MIB, 200, {}],
    [MIB + 1, 413, {}],
    [MIB, 200, CHUNKED],
    [MIB + 1, 413, CHUNKED],
  ])('a body of %i bytes is answered with %i: %j', async (bytes, status, headers) => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'.padEnd(bytes);
    const request = { method: 'POST', path: '/mcp', headers: { ...JSON_TYPE, ...headers }, body };
    expect(await rawRequest(service.url, request)).toMatchObject({ status });
  });
});

describe('the process routes', () => {
  it.each([
    ['/healthz', '{"status":"ok"}'],
    ['/readyz', '{"status":"ready"}'],
  ])('%s', async (path, body) => {
    expect(await rawRequest(service.url, { path })).toMatchObject({ status: 200, body });
  });

  it('/metrics counts by operation, transport and code, with no label value from a caller', async () => {
    const name = 'of-the-caller';
    for (const ask of Object.values(TRANSPORTS)) await ask(service.url, 'get_agent', { name });
    await rawRequest(service.url, { method: 'OF-THE-CALLER', path: '/of-the-caller' }).catch(
      () => 0,
    );
    const { body } = await rawRequest(service.url, { path: '/metrics' });
    for (const line of [
      /^agent_manager_requests_total\{operation="get_agent",transport="rest",code="not_found"\} \d+$/mu,
      /^agent_manager_requests_total\{operation="get_agent",transport="mcp",code="not_found"\} 1$/mu,
      /^agent_manager_request_duration_seconds_count\{operation="create_agent",transport="rest"\} 1$/mu,
      /^agent_manager_http_refusals_total\{transport="rest",code="405"\} \d+$/mu,
      /^agent_manager_http_refusals_total\{transport="mcp",code="body-too-large"\} 2$/mu,
      /^agent_manager_http_responses_total\{status="201"\} 1$/mu,
      /^agent_manager_mcp_sessions 0$/mu,
      /^agent_manager_store_reachable 1$/mu,
      /^agent_manager_store_changes_total\{kind="HelmRelease",change="written"\} 1$/mu,
      /^process_resident_memory_bytes \d+$/mu,
    ])
      expect(body).toMatch(line);
    expect(body).not.toMatch(/of-the-caller/iu);
  });

  it('the log names writes and never repeats arguments', async () => {
    const secret = 's3cret-of-the-caller';
    await overMcp(service.url, 'update_agent', { name: 'sre', systemMessage: secret });
    await rawRequest(service.url, { path: '/api/v1/info', headers: { authorization: secret } });
    const line = service.logs().find(({ operation }) => operation === 'update_agent');
    expect(line).toMatchObject({
      level: 'info',
      transport: 'mcp',
      name: 'sre',
      code: 'ok',
      msg: 'called',
    });
    const refused: readonly object[] = [
      { name: 'sre', [secret]: 1 },
      { name: 'sre', toolset: [secret] },
      { name: 'sre', modelConfig: 'small', runtime: secret },
      { name: 'sre', labels: { [secret]: 5 } },
    ];
    for (const ask of Object.values(TRANSPORTS))
      for (const given of refused)
        expect((await ask(service.url, 'update_agent', { ...given })).status).toBe(400);
    await overMcp(service.url, 'create_agent', {
      name: 'sre',
      modelConfig: secret,
      toolset: ['preset:none'],
    });
    const conflict = service.logs().find(({ code }) => code === 'conflict');
    expect(conflict).toMatchObject({
      reason: 'conflict: HelmRelease default/sre already exists; use update_agent to change it',
    });
    expect(JSON.stringify(service.logs())).not.toContain(secret);
  });
});

describe('a drain', () => {
  it('finishes running requests, responds to probes with 503, and closes idle connections', async () => {
    const draining = await startService();
    const { hostname, port } = new URL(draining.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const head = `POST /api/v1/agents HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: ${NEW.length.toString()}\r\n\r\n${NEW.slice(0, -1)}`);
    const probe = connect({ host: hostname, port: Number(port) });
    let received = '';
    probe.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    probe.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\nX: ');
    await vi.waitFor(() => {
      expect(socket.bytesWritten + probe.bytesWritten).toBeGreaterThan(200);
    }, 60_000);
    await rawRequest(draining.url, { path: '/healthz' });
    const drained = draining.drain(5_000);
    probe.write('1\r\nConnection: close\r\n\r\n');
    socket.write('}');
    await Promise.all([drained, once(socket, 'close'), once(probe, 'close')]);
    expect(received).toMatch(/^HTTP\/1\.1 503 [^]*\{"status":"draining"\}/u);
    expect(text).toMatch(/^HTTP\/1\.1 201 [^]*connection: close[^]*"helmRelease":true/iu);
    await expect(rawRequest(draining.url, { path: '/healthz' })).rejects.toThrow(
      /ECONNREFUSED|ECONNRESET/u,
    );
    await draining.stop();
  });
});
