// The SDK's stock entry for 2026-07-28, which serves requests without a session of the 2025 revisions too, with prepared answers.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { listen } from './body.mjs';

const prepared = new Map();
process.on('message', ({ prepare }) => {
  if (prepare !== undefined) prepared.set(prepare.name, prepare.result);
});

const stock = () => {
  const server = new Server({ name: 'stock', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', ({ params }) => prepared.get(params.name));
  server.setRequestHandler('tools/list', () => prepared.get('tools/list'));
  return server;
};

const handle = toNodeHandler(createMcpHandler(stock));
listen(createServer((request, response) => void handle(request, response)));
