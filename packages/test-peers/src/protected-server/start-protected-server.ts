import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { readBody } from '../http/body.ts';
import { sendFault, type FaultRule } from '../http/fault.ts';
import { listen } from '../http/listen.ts';
import { Authorizer, metadataPath } from './authorizer.ts';
import { sendChallenge } from './challenge.ts';
import type { ProtectedOptions, ProtectedRequest, ProtectedServer } from './protected-options.ts';
import { tokenHash, type TokenFacts } from './token-check.ts';
import { createToolServer } from './tools.ts';

const ENDPOINT = '/mcp';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface RpcMessage {
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

const messageOf = (body: string): RpcMessage => {
  try {
    return (JSON.parse(body) ?? {}) as RpcMessage;
  } catch {
    return {};
  }
};

const bearerOf = ({ headers }: IncomingMessage): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

const recordOf = (request: IncomingMessage, body: string): Mutable<ProtectedRequest> => {
  const { method = '', params } = messageOf(body);
  const token = bearerOf(request);
  return {
    httpMethod: request.method ?? 'GET',
    method,
    tool: method === 'tools/call' ? params?.name : undefined,
    tokenHash: token === undefined ? undefined : tokenHash(token),
    isAccepted: false,
    subject: undefined,
    status: 0,
  };
};

/** One running protected server. */
class RunningServer {
  readonly requests: Mutable<ProtectedRequest>[] = [];
  readonly url: string;
  readonly authorizer: Authorizer;
  fault: FaultRule | undefined;
  readonly #options: ProtectedOptions;
  readonly #tools: string[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #mcp: McpHttpHandler;
  readonly #handle: ReturnType<typeof toNodeHandler>;
  readonly #facts = new WeakMap<object, TokenFacts>();

  constructor(options: ProtectedOptions, origin: string) {
    this.#options = options;
    this.url = origin + ENDPOINT;
    this.authorizer = new Authorizer(options, this.url);
    this.#mcp = createMcpHandler(({ authInfo }) =>
      createToolServer({
        facts: authInfo && this.#facts.get(authInfo),
        moreTools: () => this.#tools,
        released: () => new Promise((done) => this.#waiting.push(done)),
      }),
    );
    this.#handle = toNodeHandler(this.#mcp);
  }

  revoke(subject: string): void {
    for (const request of this.requests)
      if (request.subject === subject && request.tokenHash !== undefined)
        this.authorizer.revoke(request.tokenHash);
  }

  addTool(name: string): void {
    this.#tools.push(name);
    this.#mcp.notify.toolsChanged();
  }

  release(): void {
    for (const done of this.#waiting.splice(0)) done();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    const fault = this.fault?.({ method: request.method ?? 'GET', path: pathname });
    if (fault !== undefined) {
      sendFault(fault, request, response);
      return;
    }
    if (pathname === metadataPath(this.#options, ENDPOINT)) {
      response.setHeader('content-type', 'application/json');
      return void response.end(JSON.stringify(this.authorizer.metadata()));
    }
    if (pathname !== ENDPOINT) return void response.writeHead(404).end();
    return this.#serve(request, response);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const record = recordOf(request, body);
    this.requests.push(record);
    response.once('finish', () => (record.status = response.statusCode));
    const token = bearerOf(request);
    const verdict = await this.authorizer.judge(token, record.tool);
    if (verdict !== undefined && 'status' in verdict) {
      sendChallenge(response, verdict);
      return;
    }
    record.isAccepted = true;
    record.subject = verdict?.subject;
    const auth = { token: token ?? '', clientId: verdict?.clientId ?? '', scopes: [] };
    if (verdict !== undefined) this.#facts.set(auth, verdict);
    const authorized = Object.assign(request, { auth }) as NodeIncomingMessageLike;
    await this.#handle(authorized, response, body === '' ? undefined : JSON.parse(body));
  }

  async close(): Promise<void> {
    this.release();
    await this.#mcp.close();
  }
}

const fail = (response: ServerResponse): void => {
  if (response.headersSent) response.destroy();
  else response.writeHead(500).end();
};

/** Returns what tests see of a running server. */
const controlsOf = (running: RunningServer): Omit<ProtectedServer, 'close'> => ({
  url: running.url,
  origin: new URL(running.url).origin,
  requests: running.requests,
  calls: (tool) =>
    running.requests.filter((request) => request.tool === tool && request.isAccepted),
  rejectNext: (count, { status = 401, tool, scope } = {}) =>
    running.authorizer.reject(count, { status, tool, scope }),
  revoke: (subject) => running.revoke(subject),
  addTool: (name) => running.addTool(name),
  setIssuers: (issuers) => running.authorizer.setIssuers(issuers),
  setToolScopes: (scopes) => running.authorizer.setToolScopes(scopes),
  release: () => running.release(),
  setFault: (rule) => (running.fault = rule),
});

/**
 * Starts an MCP server (the official SDK, revisions 2025 and 2026-07-28, without sessions) on the loopback address that accepts bearers of
 * the given issuers. Its tools: `whoami` returns what the token says, `echo` its arguments, and `slow` waits for `release`.
 */
export const startProtectedServer = async (
  options: ProtectedOptions = {},
): Promise<ProtectedServer> => {
  const state: { running?: RunningServer } = {};
  const listening = await listen((request, response) => {
    state.running?.handle(request, response).catch(() => fail(response));
  }, options);
  const running = new RunningServer(options, listening.origin);
  state.running = running;
  return {
    ...controlsOf(running),
    close: async () => {
      await running.close();
      await listening.close();
    },
  };
};
