// The SDK's stock entry for the 2025 revisions: sessions over its Streamable HTTP transport, with prepared answers.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listen } from './body.mjs';

const prepared = new Map();
process.on('message', ({ prepare }) => {
  if (prepare !== undefined) prepared.set(prepare.name, prepare.result);
});

const sessions = new Map();

const opened = async () => {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  const server = new Server({ name: 'stock', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => prepared.get(params.name));
  server.setRequestHandler(ListToolsRequestSchema, () => prepared.get('tools/list'));
  await server.connect(transport);
  return transport;
};

listen(
  createServer(async (request, response) => {
    const transport = sessions.get(request.headers['mcp-session-id']) ?? (await opened());
    await transport.handleRequest(request, response);
  }),
);
