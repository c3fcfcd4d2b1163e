// MCP servers of the 2025 revisions with sessions and streams in one process: /<name>/mcp.
//
//   node tools-http.mjs <port> <name>...
//
// The message `{ grow: name }` adds a tool to a server, which announces it.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answerJson, readJson } from '../../bench/servers/body.mjs';

const [port, ...names] = process.argv.slice(2);

const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });

const tool = (name) => ({ name, inputSchema: { type: 'object' } });

const servers = new Map(
  names.map((name) => [name, { name, grown: 0, sessions: new Set(), streams: new Set() }]),
);

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'tools', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': (_params, { grown }) => ({
    tools: ['echo', 'slow', `generation_${grown}`].map(tool),
  }),
  'tools/call': async ({ name, arguments: args }, server) => {
    if (name === 'slow') await wait(args.ms);
    return text(args?.text ?? server.name);
  },
};

const answer = async (server, { id, method, params }, response) => {
  const known = Object.hasOwn(methods, method);
  const outcome = known
    ? { result: await methods[method](params ?? {}, server) }
    : { error: { code: -32601, message: 'Method not found' } };
  if (method === 'initialize') {
    const session = randomUUID();
    server.sessions.add(session);
    response.setHeader('mcp-session-id', session);
  }
  answerJson(response, JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
};

const post = (server, request, response) =>
  readJson(request, (message) => {
    const session = request.headers['mcp-session-id'];
    if (message.method !== 'initialize' && !server.sessions.has(session))
      response.writeHead(404).end();
    else if (message.id === undefined) response.writeHead(202).end();
    else void answer(server, message, response);
  });

const stream = (server, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
  server.streams.add(response);
  response.on('close', () => server.streams.delete(response));
};

const listener = createServer((request, response) => {
  const server = servers.get(/^\/(.+)\/mcp$/u.exec(request.url)?.[1]);
  if (server === undefined) response.writeHead(404).end();
  else if (request.method === 'POST') post(server, request, response);
  else if (request.method === 'GET') stream(server, response);
  else {
    server.sessions.delete(request.headers['mcp-session-id']);
    response.writeHead(200).end();
  }
});

process.on('message', ({ grow }) => {
  const server = servers.get(grow);
  if (server === undefined) return;
  server.grown += 1;
  const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
  for (const response of server.streams) response.write(`data: ${JSON.stringify(changed)}\n\n`);
});

listener.keepAliveTimeout = 60_000;
listener.listen(Number(port), '127.0.0.1', () => {
  process.send({ listening: `http://127.0.0.1:${listener.address().port}` });
});
