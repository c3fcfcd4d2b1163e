import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text as textOfStream } from 'node:stream/consumers';
import { findFreePort } from '@gateway/test-peers';
import { atEnd } from './lifetime.ts';

/** The behaviour of the server: MCP answers, answers to calls only when they are released, no answers, 401, or invalid bytes. */
export type Behaviour = 'serve' | 'hold' | 'silence' | 'unauthorized' | 'garbage';

/** A small MCP server of the 2025 revisions over Streamable HTTP, in the process of the test. */
export interface HttpMcpServer {
  readonly url: string;
  behaviour: Behaviour;
  /** The headers of every request, with the JSON-RPC method that it carried. */
  readonly requests: readonly { readonly method: string; readonly headers: IncomingHttpHeaders }[];
  /** The number of calls that wait for `release`. */
  readonly held: () => number;
  /** Answers the calls that wait. */
  readonly release: () => void;
  /** Listens again on the same port. */
  start(): Promise<void>;
  /** Ends every connection and frees the port. */
  stop(): Promise<void>;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Starts the server; it offers the tool `hello`. The end stops it. */
export async function httpMcpServer(behaviour: Behaviour = 'serve'): Promise<HttpMcpServer> {
  const port = await findFreePort();
  const requests: { method: string; headers: IncomingHttpHeaders }[] = [];
  const held: (() => void)[] = [];
  let server: Server | undefined;
  const self: HttpMcpServer = {
    url: `http://127.0.0.1:${String(port)}/mcp`,
    ...{ behaviour, requests, held: () => held.length },
    release: () => {
      for (const answer of held.splice(0)) answer();
    },
    start: async () => {
      server = createServer((request, response) => {
        void handle(request, response);
      }).listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    stop: async () => {
      if (server === undefined) return;
      const closed = once(server, 'close');
      server.close().closeAllConnections();
      await closed;
      server = undefined;
    },
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOfStream(request);
    const message = (body === '' ? {} : JSON.parse(body)) as Message;
    requests.push({
      method: message.method ?? `HTTP ${String(request.method)}`,
      headers: request.headers,
    });
    if (self.behaviour === 'hold' && message.method === 'tools/call')
      held.push(() => serve(message, response));
    else BEHAVIOURS[self.behaviour](message, response);
  };
  await self.start();
  atEnd(self.stop);
  return self;
}

const json = { 'content-type': 'application/json' };

const serve = (message: Message, response: ServerResponse): void => {
  if (message.method === undefined) response.writeHead(405).end();
  else if (message.id === undefined) response.writeHead(202).end();
  else response.writeHead(200, json).end(JSON.stringify(answerTo(message)));
};

const BEHAVIOURS: Readonly<
  Record<Behaviour, (message: Message, response: ServerResponse) => void>
> = {
  serve,
  hold: serve,
  silence: () => undefined,
  unauthorized: (_message, response) => {
    response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  },
  garbage: (_message, response) => {
    response.writeHead(200, json).end('{"jsonrpc": <html>');
  },
};

function answerTo({ id, method, params }: Message): object {
  const result = (value: object) => ({ jsonrpc: '2.0', id, result: value });
  switch (method) {
    case 'initialize':
      return result({
        protocolVersion: params?.['protocolVersion'],
        capabilities: { tools: {} },
        serverInfo: { name: 'fixture', version: '1.0.0' },
      });
    case 'tools/list':
      return result({ tools: [{ name: 'hello', inputSchema: { type: 'object' } }] });
    case 'tools/call':
      return result({ content: [{ type: 'text', text: 'hello' }] });
    case 'ping':
      return result({});
    case undefined:
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  }
}
