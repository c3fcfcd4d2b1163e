import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { createProtocolServer } from './protocol-server.ts';
import type { HeaderReader } from '../src/protocol/client-message.ts';
import type { StartEndpoint } from './endpoint.ts';
import { sampleService } from './sample-service.ts';

const headersOf = (request: Request | undefined): HeaderReader => {
  return (name) => {
    const value = request?.headers.get(name);
    return value === null || value === undefined ? undefined : [value];
  };
};

/** The request as the SDK reads it; it is aborted when the client goes. */
const webRequest = async (incoming: IncomingMessage, gone: AbortSignal): Promise<Request> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const line of [value ?? []].flat()) headers.append(name, line);
  return new Request(`http://${incoming.headers.host ?? 'localhost'}${incoming.url ?? '/'}`, {
    method: incoming.method ?? 'GET',
    headers,
    signal: gone,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
};

const write = async (answer: Response, outgoing: ServerResponse): Promise<void> => {
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(answer.body), outgoing);
};

/** A endpoint over the same service whose inside are the SDK's own transports: sessions of the 2025 era, and 2026-07-28. */
export const startSdkEndpoint: StartEndpoint = async () => {
  const sample = sampleService();
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const errors: unknown[] = [];
  const modern = createMcpHandler(
    ({ requestInfo }) => createProtocolServer(sample.service, headersOf(requestInfo)),
    { legacy: 'reject' },
  );
  const openSession = async (
    request: Request,
  ): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    // These clients send the same headers with every request of a session.
    const header = headersOf(request);
    await createProtocolServer(sample.service, header).connect(transport);
    return transport;
  };
  const answer = async (request: Request): Promise<Response> => {
    const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
    if (known !== undefined) return known.handleRequest(request);
    if (!(await isLegacyRequest(request.clone()))) return modern.fetch(request);
    return (await openSession(request)).handleRequest(request);
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    await write(await answer(await webRequest(incoming, gone.signal)), outgoing);
  };
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => errors.push(error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    sample,
    // The SDK leaves the `POST` of a cancelled call open, so what counts is what the service works on.
    stats: () => ({
      sessions: sessions.size,
      streams: 0,
      queuedCalls: 0,
      inFlight: sample.waiting(),
      bufferedBodyBytes: 0,
      unreadBytes: 0,
    }),
    errors,
    refusals: [],
    requests: [],
    drain: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
