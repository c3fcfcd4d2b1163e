import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createRawMcp } from '../fixtures/raw-mcp.mjs';
import type { RawMcp, RawMcpOptions, RawMessage } from '../fixtures/raw-mcp.mjs';

/** Handles a request itself and answers `true`, or leaves it to the MCP server. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface RawHttp {
  readonly url: string;
  readonly port: number;
  readonly mcp: RawMcp;
  /** The headers of every request, in order. */
  readonly headers: readonly IncomingHttpHeaders[];
  setIntercept(intercept: Intercept | undefined): void;
  close(): Promise<void>;
}

export interface RawHttpOptions extends RawMcpOptions {
  /** Answers with one event stream per request instead of JSON. */
  readonly events?: boolean;
  readonly port?: number;
}

const bodyOf = async (request: IncomingMessage): Promise<RawMessage> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as RawMessage;
};

const event = (message: unknown): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

const answer = async (
  mcp: RawMcp,
  request: IncomingMessage,
  response: ServerResponse,
  events: boolean,
): Promise<void> => {
  const message = await bodyOf(request);
  if (message.id === undefined) {
    await mcp.handle(message, () => undefined);
    response.writeHead(202).end();
    return;
  }
  if (!events) {
    const body = await mcp.handle(message, () => undefined);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  const body = await mcp.handle(message, (notice) => response.write(event(notice)));
  response.end(event(body));
};

const listening = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });

/** A Streamable HTTP server on a real socket that sends whatever the test wants. Closed when the test ends. */
export const startRawHttp = async (options: RawHttpOptions = {}): Promise<RawHttp> => {
  const mcp = createRawMcp(options);
  const headers: IncomingHttpHeaders[] = [];
  let intercept: Intercept | undefined;
  const server = createServer((request, response) => {
    headers.push(request.headers);
    if (intercept?.(request, response) === true) return;
    if (request.method === 'POST')
      answer(mcp, request, response, options.events === true).catch(() => response.destroy());
    else response.writeHead(405).end();
  });
  await listening(server, options.port ?? 0);
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    mcp,
    headers,
    setIntercept: (next) => {
      intercept = next;
    },
    close,
  };
};
