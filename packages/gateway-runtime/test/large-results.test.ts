import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { toObject, toObjects } from '@gateway/call-contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSignInGateway, type SignInGateway } from './sign-in/gateway-harness.ts';

const ROWS = JSON.stringify({
  rows: Array.from({ length: 60_000 }, (_, id) => ({ id, name: `row ${id}` })),
});

const answers: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'data', version: '1' },
  },
  'tools/list': { tools: [{ name: 'rows', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: ROWS }] },
};

/** A server whose tool `rows` answers with 2 MB of JSON. */
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { id, method = '' } = JSON.parse(body || '{}') as { id?: number; method?: string };
    const result = answers[method];
    if (id === undefined) response.writeHead(request.method === 'POST' ? 202 : 405).end();
    else
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
});

let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});
afterAll(() => {
  server.close().closeAllConnections();
});

const start = async (more: Partial<Parameters<typeof startSignInGateway>[0]> = {}, spec = {}) => {
  const gateway = await startSignInGateway({
    servers: { data: { url, ...spec } },
    hasCallers: true,
    ...more,
  });
  const name = more.expose === 'native' ? 'rows' : 'x_data_rows';
  await expect.poll(() => gateway.request('ada', 'tools/list')).toBeDefined();
  if (more.expose !== 'native') await expect.poll(() => gateway.listTools('ada')).toContain(name);
  return gateway;
};

/** Calls `rows`. Returns the texts of the result and the URI of what is kept. */
const callRows = async ({ request }: SignInGateway, tool = 'x_data_rows') => {
  const result = await request('ada', 'tools/call', {
    name: 'call_tool',
    arguments: { name: tool },
  } as object);
  const facts = toObject(toObject(result['_meta'])['gateway.internal/result']);
  return {
    texts: toObjects(result['content']).map((item) => String(item['text'])),
    uri: facts['uri'],
  };
};

describe('a gateway whose server answers with much text', () => {
  it('keeps it for the caller, who reads it with get_resource', async () => {
    const gateway = await start();
    const { texts, uri } = await callRows(gateway);
    expect(texts[0]).toBe(ROWS.slice(0, 8_192));
    expect(texts[1]).toContain('Shape: {rows: [60000 × {id: number, name: string}]}');
    const read = (user: string, args: object, toolset?: string) =>
      gateway.call(user, 'get_resource', { uri, ...args }, toolset);
    const { text: row } = await read('ada', { path: '$.rows[59999].name' }, 'server:other');
    expect(JSON.parse(row)).toEqual([
      { uri, mimeType: 'text/plain', text: 'row 59999', bytes: 9, offset: 0 },
    ]);
    const refused = {
      isError: true,
      text: `Resource retrieval failed: resource not found: ${String(uri)}`,
    };
    expect(await read('ben', {})).toMatchObject(refused);
  });

  it('answers with as much as the server, or the configuration, permits', async () => {
    const whole = await start({}, { maxResultBytes: 0 });
    expect((await callRows(whole)).texts).toEqual([ROWS]);
    const own = await start(
      { config: { servers: { maxResultBytes: 0 } } },
      { maxResultBytes: 100 },
    );
    expect((await callRows(own)).texts[0]).toBe(ROWS.slice(0, 100));
  });

  it('passes it whole to steps of workflows, and cuts the results of workflows', async () => {
    const gateway = await start();
    const step = { id: 'all', tool: 'x_data_rows' };
    const last = '{{ (index .results.all.rows 59999).name }}';
    gateway.directory.workflow('last', { steps: [step], output: { last } });
    gateway.directory.workflow('all', { steps: [{ ...step, output: true }] });
    await expect
      .poll(() => gateway.call('ada', 'list_tools').then(({ text }) => text))
      .toContain('workflow_last');
    expect((await callRows(gateway, 'workflow_last')).texts).toEqual([
      expect.stringContaining('"row 59999"'),
    ]);
    expect((await callRows(gateway, 'workflow_all')).texts[1]).toContain('Shape: {');
  });

  it('passes it whole to callers in native mode', async () => {
    const { request } = await start({ expose: 'native' }, { maxResultBytes: 100 });
    const call = async () =>
      (await request('ada', 'tools/call', { name: 'rows', arguments: {} } as object))['content'];
    await expect.poll(call).toEqual([{ type: 'text', text: ROWS }]);
  });

  it('keeps it for the session alone', async () => {
    const gateway = await start();
    const [one, other] = [await gateway.openSession('ada'), await gateway.openSession('ada')];
    const answer = await one.send('tools/call', {
      name: 'call_tool',
      arguments: { name: 'x_data_rows' },
    });
    const uri = /gateway:\/\/results\/[\w-]{22}/u.exec(answer)?.[0];
    const read = { name: 'get_resource', arguments: { uri, path: '$.rows[7]' } };
    expect(await one.send('tools/call', read)).toContain('row 7');
    expect(await other.send('tools/call', read)).toContain(`resource not found: ${String(uri)}`);
  });
});
