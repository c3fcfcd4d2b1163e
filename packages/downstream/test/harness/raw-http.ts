import { createServer } from 'node:http';
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  Server,
  ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createRawMcp } from '../fixtures/raw-mcp.mjs';
import type { RawMcp, RawMcpOptions } from '../fixtures/raw-mcp.mjs';

/** Handles a request itself and answers `true`, or leaves it to the MCP server. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A message in the body of a POST. */
export interface PostedMessage {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
  readonly error?: unknown;
}

/** Handles a message itself and answers `true`, or leaves it to the MCP server. */
export type PostHandler = (
  message: PostedMessage,
  response: ServerResponse,
  request: IncomingMessage,
) => boolean;

export interface RawHttp {
  readonly url: string;
  readonly port: number;
  readonly mcp: RawMcp;
  /** The headers of every request, in order. */
  readonly headers: readonly IncomingHttpHeaders[];
  setIntercept(intercept: Intercept | undefined): void;
  /** Lets the MCP server answer a message whose body was read. */
  answer(message: PostedMessage, response: ServerResponse): Promise<void>;
  /** Intercepts each POST with its message. */
  onPost(handle: PostHandler): void;
  /** Returns how many messages of a method arrived. */
  count(method: string): number;
  close(): Promise<void>;
}

export interface RawHttpOptions extends RawMcpOptions {
  /** Answers with one event stream per request instead of JSON. */
  readonly events?: boolean;
  readonly port?: number;
}

export const JSON_TYPE = { 'content-type': 'application/json' };
export const EVENTS = { 'content-type': 'text/event-stream' };

/** The frame of a message in an event stream. */
export const frame = (message: unknown): string => `data: ${JSON.stringify(message)}\n\n`;

/** Answers every request in one way. */
export const respond =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Intercept =>
  (request, response) => {
    request.resume();
    response.writeHead(status, headers).end(body);
    return true;
  };

/** Reads the message in the body of a POST. */
export const readMessage = async (request: IncomingMessage): Promise<PostedMessage> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as PostedMessage;
};

/** Serves on a port of this machine until the test ends. */
export const serve = async (
  listener: RequestListener,
  port = 0,
): Promise<{ readonly url: string; readonly port: number; readonly server: Server }> => {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const bound = (server.address() as AddressInfo).port;
  return { url: `http://127.0.0.1:${bound}/mcp`, port: bound, server };
};

/** A Streamable HTTP server on a real socket that sends whatever the test wants. Closed when the test ends. */
export const startRawHttp = async (options: RawHttpOptions = {}): Promise<RawHttp> => {
  const mcp = createRawMcp(options);
  const headers: IncomingHttpHeaders[] = [];
  let intercept: Intercept | undefined;
  const answer = async (message: PostedMessage, response: ServerResponse): Promise<void> => {
    if (message.id === undefined) {
      await mcp.handle(message, () => undefined);
      response.writeHead(202).end();
    } else if (options.events === true) {
      response.writeHead(200, EVENTS).flushHeaders();
      response.end(frame(await mcp.handle(message, (notice) => response.write(frame(notice)))));
    } else {
      const body = await mcp.handle(message, () => undefined);
      response.writeHead(200, JSON_TYPE).end(JSON.stringify(body));
    }
  };
  const take = (request: IncomingMessage, response: ServerResponse, handle?: PostHandler): void => {
    readMessage(request)
      .then(async (message) => {
        if (handle?.(message, response, request) !== true) await answer(message, response);
      })
      .catch(() => response.destroy());
  };
  const { url, port, server } = await serve((request, response) => {
    headers.push(request.headers);
    if (intercept?.(request, response) === true) return;
    if (request.method === 'POST') take(request, response);
    else response.writeHead(405).end();
  }, options.port);
  const setIntercept = (next: Intercept | undefined): void => {
    intercept = next;
  };
  return {
    url,
    port,
    mcp,
    headers,
    setIntercept,
    answer,
    onPost: (handle) =>
      setIntercept((request, response) => {
        if (request.method !== 'POST') return false;
        take(request, response, handle);
        return true;
      }),
    count: (method) => mcp.seen.filter((message) => message.method === method).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
