// One process that is many small MCP servers: http://127.0.0.1:<port>/s<n>/mcp, each with TOOLS tools that answer at once.
import { createServer } from 'node:http';

const [servers = 81, tools = 4] = process.argv.slice(2).map(Number);
const text = 'x'.repeat(1024);

const tool = (server, index) => ({
  name: `read_item_${index}`,
  description: `Reads item ${index} of service ${server}.\nA second line that summaries leave out.`,
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string', description: 'Which item' } },
    required: ['id'],
  },
  annotations: { readOnlyHint: index % 2 === 0 },
});

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'bench', version: '1.0.0' },
  }),
  'tools/list': (server) => ({
    tools: Array.from({ length: tools }, (_, index) => tool(server, index)),
  }),
  'tools/call': () => ({ content: [{ type: 'text', text }] }),
};

const http = createServer(async (request, response) => {
  const server = Number(/^\/s(\d+)\/mcp$/u.exec(request.url)?.[1]);
  if (request.method !== 'POST' || !(server < servers)) return response.writeHead(405).end();
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { id, method } = JSON.parse(Buffer.concat(chunks).toString());
  if (id === undefined) return response.writeHead(202).end();
  const answer = answers[method];
  const body = answer
    ? { jsonrpc: '2.0', id, result: answer(server) }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }));
process.on('disconnect', () => process.exit());
