// MCP servers of the 2025 revisions, each on a port of its own, that fail on command. The process that started this one asks
// by IPC: `add <name>` (gives its URL), `behave <name> <how>`, `sockets` (open ones, of all), `sent <name>` (bytes of large answers),
// `held <name>` (lists that wait until it behaves otherwise).
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readJson } from './body.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };
const PIECE = Buffer.alloc(64 * 1024, 'x');
const LARGE_PIECES = 1_600;

const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'faulty', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'hello', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'hello @' }] }),
};

const answerOf = ({ id, method }) =>
  Object.hasOwn(results, method)
    ? { jsonrpc: '2.0', id, result: results[method]() }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };

const serve = (message, response) => {
  if (message.id === undefined) response.writeHead(202).end();
  else response.writeHead(200, JSON_TYPE).end(JSON.stringify(answerOf(message)));
};

/** Only of calls; everything else is served. */
const ofCalls = (answer) => (message, response, server) =>
  message.method === 'tools/call' ? answer(message, response, server) : serve(message, response);

const BEHAVIOURS = {
  serve,
  hang: () => undefined,
  /** Closes its half of the connection and continues to read. */
  'half-open': (_message, response) => response.socket.end(),
  'hold-list': (message, response, server) => {
    if (message.method === 'tools/list') server.held.push(() => serve(message, response));
    else serve(message, response);
  },
  401: (_message, response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(),
  500: (_message, response) => response.writeHead(500).end('no'),
  redirect: (_message, response, { url }) => response.writeHead(307, { location: url }).end(),
  large: ofCalls((_message, response, server) => {
    let left = LARGE_PIECES;
    const more = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1;
        server.sent += PIECE.length;
        if (!response.write(PIECE)) return;
      }
      response.end();
    };
    response.writeHead(200, JSON_TYPE).on('drain', more);
    more();
  }),
  odd: ofCalls((message, response) => {
    const bytes = Buffer.from(JSON.stringify(answerOf(message)));
    bytes[bytes.indexOf('@')] = 0xff;
    response.writeHead(200, JSON_TYPE).end(bytes);
  }),
};

class Faulty {
  url = '';
  sent = 0;
  sockets = new Set();
  /** Answers that wait until the server behaves otherwise. */
  held = [];
  #how = 'serve';
  #port = 0;
  #server;

  async behave(how) {
    this.#how = how;
    for (const answer of this.held.splice(0)) answer();
    if (how === 'refuse') {
      this.#server.close();
      for (const socket of this.sockets) socket.destroy();
    } else if (!this.#server.listening) await this.listen();
  }

  async listen() {
    this.#server = createServer((request, response) => {
      if (request.method !== 'POST') response.writeHead(405).end();
      else readJson(request, (message) => BEHAVIOURS[this.#how](message, response, this));
    });
    this.#server.keepAliveTimeout = 60_000;
    this.#server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = this.#server.address().port;
    this.url = `http://127.0.0.1:${this.#port}/mcp`;
  }
}

const all = new Map();

const answers = {
  add: async (name) => {
    const faulty = new Faulty();
    all.set(name, faulty);
    await faulty.listen();
    return faulty.url;
  },
  behave: (name, how) => all.get(name).behave(how),
  sockets: () => [...all.values()].reduce((sum, { sockets }) => sum + sockets.size, 0),
  sent: (name) => all.get(name).sent,
  held: (name) => all.get(name).held.length,
};

process.on('message', async ({ ask = '', question }) => {
  const [what, ...words] = ask.split(' ');
  if (!Object.hasOwn(answers, what)) return;
  process.send({ answerTo: question, value: (await answers[what](...words)) ?? null });
});
// Nothing listens yet that would keep this process running.
process.channel.ref();
process.send({ listening: 'by name' });
