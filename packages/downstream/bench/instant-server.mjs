import { createServer } from 'node:http';

/**
 * A Streamable HTTP server of 2025-11-25 that answers at once: `/json` with JSON, `/sse` with one event. The tool `text` gives as many
 * characters as it is asked for. Prints its port.
 */
const answers = {
  initialize: (params) => ({
    protocolVersion: params.protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'instant', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [{ name: 'text', inputSchema: { type: 'object' } }] }),
  'tools/call': (params) => ({
    content: [{ type: 'text', text: 'x'.repeat(params.arguments.length) }],
  }),
  ping: () => ({}),
};

const answer = (request, response, body) => {
  const message = JSON.parse(body);
  if (message.id === undefined) return void response.writeHead(202).end();
  const make = answers[message.method];
  const text = JSON.stringify(
    make === undefined
      ? { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } }
      : { jsonrpc: '2.0', id: message.id, result: make(message.params) },
  );
  if (request.url === '/sse') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`event: message\ndata: ${text}\n\n`);
  } else
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      .end(text);
};

const server = createServer((request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('utf8')));
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
