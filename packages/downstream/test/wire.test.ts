import type { ServerResponse } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { HttpConnections } from '../src/wire/http/server-exchange.ts';
import { HttpWire } from '../src/wire/http/http-wire.ts';
import { SseWire } from '../src/wire/http/sse-wire.ts';
import { eventually } from './harness/downstream.ts';
import { startRawHttp } from './harness/raw-http.ts';
import { SdkWire } from './sdk-wire.ts';
import { wireSuite } from './wire.suite.ts';

const silent = { onNetworkError: () => undefined };

const wireOptions = (url: string, headers: Readonly<Record<string, string>>) => {
  const connections = new HttpConnections({ connectTimeoutMs: 1_000, maxConnections: 8 }, silent);
  onTestFinished(() => connections.close());
  return { url: new URL(url), headers, maxBytes: 1_000_000, connections };
};

wireSuite('the own wire', (url, headers) => new HttpWire(wireOptions(url, headers)));

it('posts to the last endpoint of an SSE server, relative to the URL of the stream', async () => {
  const raw = await startRawHttp();
  const posted: unknown[] = [];
  let stream: ServerResponse | undefined;
  raw.setIntercept((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: messages/1\n\n');
      stream = response;
    } else {
      posted.push(request.url);
      response.writeHead(202).end();
    }
    return true;
  });
  const url = new URL('/mcp/sse', raw.url).href;
  const wire = new SseWire(wireOptions(url, {}), () => undefined);
  const messages: unknown[] = [];
  await wire.start({
    onMessage: (message) => messages.push(message),
    onUnreadable: () => undefined,
    onError: () => undefined,
    onGap: () => undefined,
    onClosed: () => undefined,
  });
  onTestFinished(() => wire.close());
  await wire.send({ jsonrpc: '2.0', method: 'notifications/x' });
  stream?.write('event: endpoint\ndata: messages/2\n\ndata: {"method":"y"}\n\n');
  await eventually('the second endpoint has arrived', () => messages.length === 1);
  await wire.send({ jsonrpc: '2.0', method: 'notifications/x' });
  expect(posted).toEqual(['/mcp/messages/1', '/mcp/messages/2']);
});

wireSuite("the SDK's transport as a wire", (url, headers) => {
  const options = { requestInit: { headers } };
  return new SdkWire(new StreamableHTTPClientTransport(new URL(url), options));
});
