// The stock proxy of the SDK: a server for each session in front, one client for each server behind.
//
//   node servers/sdk-proxy.mjs <url of a server> ...
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listen } from './body.mjs';

const INFO = { name: 'stock-proxy', version: '1.0.0' };

const clients = await Promise.all(
  process.argv.slice(2).map(async (url) => {
    const client = new Client(INFO);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return client;
  }),
);

const listTools = async () => {
  const lists = await Promise.all(clients.map((client) => client.listTools()));
  return {
    tools: lists.flatMap(({ tools }, index) =>
      tools.map((tool) => ({ ...tool, name: `s${index}_${tool.name}` })),
    ),
  };
};

const callTool = ({ params }) => {
  const [, index, name] = /^s(\d+)_(.*)$/su.exec(params.name);
  return clients[index].callTool({ ...params, name });
};

const sessions = new Map();

const opened = async () => {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.set(id, transport),
    onsessionclosed: (id) => sessions.delete(id),
  });
  const server = new Server(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, listTools);
  server.setRequestHandler(CallToolRequestSchema, callTool);
  await server.connect(transport);
  return transport;
};

listen(
  createServer(async (request, response) => {
    const transport = sessions.get(request.headers['mcp-session-id']) ?? (await opened());
    await transport.handleRequest(request, response);
  }),
);
