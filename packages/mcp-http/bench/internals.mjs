import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { Server as ServerOfGeneration1 } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/**
 * The process that serves: one inside, named by its argument. The handlers are the same everywhere.
 * It tells its address, and on each message the processor time that it has used so far.
 */

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
const TEXTS = { kilobyte: 'x'.repeat(1_000), hundred: 'x'.repeat(100_000) };
const INFO = { name: 'bench', version: '1' };

const result = ({ name }) => ({ content: [{ type: 'text', text: TEXTS[name] }] });

const startListening = (handler) =>
  new Promise((resolve) => {
    const server = createServer(handler).listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${server.address().port}/mcp`);
    });
  });

/** The floor: the same JSON work and the same headers, and nothing else. */
const floor = () =>
  startListening((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id,
        result: method === 'tools/list' ? { tools } : result(params),
      });
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    });
  });

const endpoint = async (path = '../dist/index.js') => {
  const { createMcpHttp, serveHttp } = await import(path);
  const mcp = createMcpHttp({
    info: INFO,
    capabilities: { tools: {} },
    list: () => ({ ok: true, items: tools }),
    call: ({ params }) => ({ ok: true, result: result(params) }),
  });
  const { url } = await serveHttp({ host: '127.0.0.1', port: 0, mcp });
  return `${url}/mcp`;
};

/** The endpoint whose service answers a moment later, as one that has to ask somebody does. */
const later = async () => {
  const { createMcpHttp, serveHttp } = await import('../dist/index.js');
  const mcp = createMcpHttp({
    info: INFO,
    capabilities: { tools: {} },
    list: () => ({ ok: true, items: tools }),
    call: ({ params }) =>
      new Promise((resolve) => {
        setImmediate(() => resolve({ ok: true, result: result(params) }));
      }),
  });
  const { url } = await serveHttp({ host: '127.0.0.1', port: 0, mcp });
  return `${url}/mcp`;
};

/** The SDK's entry for sessions of the 2025 revisions, which is made for `node:http`. */
const sdkSession = () => {
  const transports = new Map();
  const open = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      enableJsonResponse: true,
      onsessioninitialized: (id) => transports.set(id, transport),
    });
    const server = new ServerOfGeneration1(INFO, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => result(params));
    await server.connect(transport);
    return transport;
  };
  return startListening(async (request, response) => {
    const transport = transports.get(request.headers['mcp-session-id']) ?? (await open());
    await transport.handleRequest(request, response);
  });
};

/** The SDK's entry for 2026-07-28 and for requests without a session, which takes web requests. */
const sdkEntry = () => {
  const handler = createMcpHandler(() => {
    const server = new Server(INFO, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({ tools }));
    server.setRequestHandler('tools/call', ({ params }) => result(params));
    return server;
  });
  return startListening((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const url = `http://${request.headers.host}${request.url}`;
      const { method, headers } = request;
      const answer = await handler.fetch(
        new Request(url, { method, headers, body: Buffer.concat(chunks) }),
      );
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, {
        ...Object.fromEntries(answer.headers),
        'content-length': body.length,
      });
      response.end(body);
    });
  });
};

const INSIDES = { floor, endpoint, later, 'sdk-session': sdkSession, 'sdk-entry': sdkEntry };

const [, , inside, ...rest] = process.argv;
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ microseconds: user + system, residentBytes: process.memoryUsage.rss() });
});
process.once('disconnect', () => process.exit());
process.send({ url: await INSIDES[inside](...rest) });
