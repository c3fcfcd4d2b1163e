import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { createMcpHttp, serveHttp } from '../dist/index.js';

/**
 * Measures the endpoint against bare `node:http` that does the same JSON work, in turns within one run.
 * The server runs in a process of its own, so that the load generator does not take its time.
 */

const CONNECTIONS = 16;
const ROUNDS = 3;
const SECONDS = 3;
const REVISION = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol';
const ENVELOPE = { [`${PREFIX}/protocolVersion`]: REVISION, [`${PREFIX}/clientCapabilities`]: {} };
const TEXT = 'x'.repeat(1_000);

const tool = (at) => ({
  name: `tool_${at}`,
  description:
    `A tool whose description has the length that descriptions have, number ${at}`.repeat(3),
  inputSchema: {
    type: 'object',
    properties: { pattern: { type: 'string', description: 'what to look for' } },
    required: ['pattern'],
  },
});
const tools = Array.from({ length: 13 }, (_, at) => tool(at));
const result = () => ({ content: [{ type: 'text', text: TEXT }] });

const serveBare = (port, done) => {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: method === 'tools/list' ? { tools } : result(),
      });
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
  server.listen(port, '127.0.0.1', () => done(`http://127.0.0.1:${server.address().port}/mcp`));
};

const serve = async () => {
  const service = {
    info: { name: 'bench', version: '1' },
    capabilities: { tools: {} },
    list: () => ({ ok: true, items: tools }),
    call: () => ({ ok: true, result: result() }),
  };
  const mcp = createMcpHttp(service);
  const { url } = await serveHttp({ host: '127.0.0.1', port: 0, mcp });
  serveBare(0, (bare) => process.send({ face: `${url}/mcp`, bare }));
};

const load = async (url, method, headers, params) => {
  const outcome = await autocannon({
    url,
    method: 'POST',
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  if (outcome.non2xx > 0 || outcome.errors > 0) throw new Error(`${method}: refused answers`);
  return {
    perSecond: outcome.requests.average,
    p50: outcome.latency.p50,
    p99: outcome.latency.p99,
  };
};

const openSession = async (url) => {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  return answer.headers.get('mcp-session-id');
};

const CALL = { name: 'tool_1', arguments: { pattern: 'x_*' } };
const modern = (method, name) => ({
  'mcp-protocol-version': REVISION,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

const casesOf = async ({ face, bare }) => {
  const session = { 'mcp-session-id': await openSession(face) };
  const enveloped = { _meta: ENVELOPE };
  return [
    ['list, bare node:http', bare, 'tools/list', {}, {}],
    ['list, session', face, 'tools/list', session, {}],
    ['list, 2026-07-28', face, 'tools/list', modern('tools/list'), enveloped],
    ['call, bare node:http', bare, 'tools/call', {}, CALL],
    ['call, session', face, 'tools/call', session, CALL],
    ['call, no session', face, 'tools/call', {}, CALL],
    [
      'call, 2026-07-28',
      face,
      'tools/call',
      modern('tools/call', CALL.name),
      { ...CALL, ...enveloped },
    ],
  ];
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const summarised = (rounds) => ({
  perSecond: Math.round(median(rounds.map(({ perSecond }) => perSecond))),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
});

const measure = async () => {
  const server = fork(import.meta.filename, ['--serve']);
  const [urls] = await once(server, 'message');
  const cases = await casesOf(urls);
  const rounds = new Map(cases.map(([title]) => [title, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [title, ...request] of cases) rounds.get(title).push(await load(...request));
  }
  server.kill();
  const rows = [...rounds].map(([title, of]) => ({ title, ...summarised(of) }));
  return rows.map((row) => {
    const floor = rows.find(({ title }) => title === `${row.title.slice(0, 4)}, bare node:http`);
    return { ...row, ratioToBare: Number((row.perSecond / floor.perSecond).toFixed(2)) };
  });
};

const { values: options } = parseArgs({
  options: { serve: { type: 'boolean' }, json: { type: 'boolean' } },
});
if (options.serve) await serve();
else {
  const rows = await measure();
  if (options.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else console.table(rows);
}
