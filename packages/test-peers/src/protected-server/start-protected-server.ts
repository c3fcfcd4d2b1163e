import { createMcpHandler, type McpHttpHandler, McpServer } from '@modelcontextprotocol/server';
import {
  Authorizer,
  findMetadataPath,
  type ProtectedOptions,
  type ProtectedRequest,
  sendChallenge,
  type TokenFacts,
  computeTokenHash,
} from './authorizer.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { type FaultRule, listen, type Listening, sendFault } from '../http.ts';

export interface ToolParts {
  readonly facts: TokenFacts | undefined;
  readonly moreTools: () => readonly string[];
  /** Resolves when the test calls `release`. */
  readonly waitForRelease: () => Promise<void>;
}

const TOOLS = ['whoami', 'echo', 'slow'];

const createContent = (value: unknown) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(value) }],
});

const callTool = async (
  name: string,
  args: Readonly<Record<string, unknown>>,
  { facts, waitForRelease }: ToolParts,
) => {
  if (name === 'whoami') return createContent(facts ?? null);
  if (name === 'echo') return createContent(args);
  if (name === 'slow') await waitForRelease();
  return createContent(name);
};

const createToolServer = (parts: ToolParts): McpServer => {
  const mcp = new McpServer(
    { name: 'protected', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  const { server } = mcp;
  server.setRequestHandler('tools/list', () => ({
    tools: [...TOOLS, ...parts.moreTools()].map((name) => ({
      name,
      description: `The tool ${name}`,
      inputSchema: { type: 'object' as const },
    })),
  }));
  server.setRequestHandler('tools/call', ({ params }) =>
    callTool(params.name, params.arguments ?? {}, parts),
  );
  return mcp;
};

const ENDPOINT = '/mcp';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface RpcMessage {
  readonly method?: string;
  readonly params?: { readonly name?: string };
}

const formatMessage = (body: string): RpcMessage => {
  try {
    return (JSON.parse(body) ?? {}) as RpcMessage;
  } catch {
    return {};
  }
};

const readBearer = ({ headers }: IncomingMessage): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

const toRecord = (request: IncomingMessage, body: string): Mutable<ProtectedRequest> => {
  const { method = '', params } = formatMessage(body);
  const token = readBearer(request);
  return {
    httpMethod: request.method ?? 'GET',
    method,
    tool: method === 'tools/call' ? params?.name : undefined,
    tokenHash: token === undefined ? undefined : computeTokenHash(token),
    isAccepted: false,
    subject: undefined,
    status: 0,
  };
};

export class ProtectedServer {
  /** The MCP endpoint, which is also the resource (RFC 8707) and the audience. */
  readonly url: string;
  readonly origin: string;
  /** Every request of the endpoint since the start. */
  readonly requests: readonly ProtectedRequest[];
  readonly close: () => Promise<void>;
  readonly #requests: Mutable<ProtectedRequest>[] = [];
  readonly #authorizer: Authorizer;
  #fault: FaultRule | undefined;
  readonly #options: ProtectedOptions;
  readonly #tools: string[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #mcp: McpHttpHandler;
  readonly #serveMcp: ReturnType<typeof toNodeHandler>;
  readonly #facts = new WeakMap<object, TokenFacts>();

  constructor(options: ProtectedOptions, listening: Listening) {
    this.requests = this.#requests;
    this.#options = options;
    this.origin = listening.origin;
    this.url = listening.origin + ENDPOINT;
    this.#authorizer = new Authorizer(options, this.url);
    this.#mcp = createMcpHandler(({ authInfo }) =>
      createToolServer({
        facts: authInfo && this.#facts.get(authInfo),
        moreTools: () => this.#tools,
        waitForRelease: () => new Promise((done) => this.#waiting.push(done)),
      }),
    );
    this.#serveMcp = toNodeHandler(this.#mcp);
    this.close = async () => {
      this.release();
      await this.#mcp.close();
      await listening.close();
    };
    listening.serve((request, response) => {
      this.#handle(request, response).catch(() => fail(response));
    });
  }

  calls(tool: string): readonly ProtectedRequest[] {
    return this.requests.filter((request) => request.tool === tool && request.isAccepted);
  }

  /** Refuses the next requests with a bearer, or only the next calls of a tool. */
  rejectNext(
    count: number,
    options: { readonly status?: 401 | 403; readonly tool?: string; readonly scope?: string } = {},
  ): void {
    const { status = 401, tool, scope } = options;
    this.#authorizer.reject(count, { status, tool, scope });
  }

  /** Refuses all present tokens of a subject from now on. */
  revoke(subject: string): void {
    for (const request of this.requests)
      if (request.subject === subject && request.tokenHash !== undefined)
        this.#authorizer.revoke(request.tokenHash);
  }

  addTool(name: string): void {
    this.#tools.push(name);
    this.#mcp.notify.toolsChanged();
  }

  /** Accepts tokens of other issuers from now on. The metadata names them. */
  setIssuers(issuers: readonly string[]): void {
    this.#authorizer.setIssuers(issuers);
  }

  setToolScopes(scopes: Readonly<Record<string, readonly string[]>>): void {
    this.#authorizer.setToolScopes(scopes);
  }

  release(): void {
    for (const done of this.#waiting.splice(0)) done();
  }

  setFault(rule: FaultRule | undefined): void {
    this.#fault = rule;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    const fault = this.#fault?.({ method: request.method ?? 'GET', path: pathname });
    if (fault !== undefined) {
      sendFault(fault, request, response);
      return;
    }
    if (pathname === findMetadataPath(this.#options, ENDPOINT)) {
      response.setHeader('content-type', 'application/json');
      return void response.end(JSON.stringify(this.#authorizer.metadata()));
    }
    if (pathname !== ENDPOINT) return void response.writeHead(404).end();
    return this.#serve(request, response);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const record = toRecord(request, body);
    this.#requests.push(record);
    response.once('finish', () => (record.status = response.statusCode));
    const token = readBearer(request);
    const verdict = await this.#authorizer.judge(token, record.tool);
    if (verdict !== undefined && 'status' in verdict) {
      sendChallenge(response, verdict);
      return;
    }
    record.isAccepted = true;
    record.subject = verdict?.subject;
    const auth = { token: token ?? '', clientId: verdict?.clientId ?? '', scopes: [] };
    if (verdict !== undefined) this.#facts.set(auth, verdict);
    const authorized = Object.assign(request, { auth }) as NodeIncomingMessageLike;
    await this.#serveMcp(authorized, response, body === '' ? undefined : JSON.parse(body));
  }
}

const fail = (response: ServerResponse): void => {
  if (response.headersSent) response.destroy();
  else response.writeHead(500).end();
};

/**
 * Starts an MCP server (the official SDK, revisions 2025 and 2026-07-28, without sessions) on the loopback address that accepts bearers of
 * the given issuers. Its tools: `whoami` returns what the token says, `echo` its arguments, and `slow` waits for `release`.
 */
export const startProtectedServer = async (
  options: ProtectedOptions = {},
): Promise<ProtectedServer> => new ProtectedServer(options, await listen(options));
