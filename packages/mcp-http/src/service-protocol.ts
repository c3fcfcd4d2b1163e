import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { ActiveCall, INTERNAL_ERROR, type CallOutcome } from './active-call.ts';
import type { Settled } from './exchange.ts';
import {
  errorMessage,
  isJsonObject,
  notificationMessage,
  resultMessage,
  RPC_CODE,
  type RpcError,
} from './json-rpc.ts';
import type { McpHttpLimits } from './limits.ts';
import type { CallContext, McpService } from './mcp-service.ts';
import {
  agreedRevision,
  discoverResult,
  initializeResult,
  stampModernResult,
  type Era,
} from './protocol-results.ts';
import type { HeaderReader } from './request-headers.ts';
import { parseToolCall, progressParams, type ToolCall } from './tool-call.ts';
import { ToolListing } from './tool-listing.ts';

/** What surrounds one request. */
export interface RequestScope {
  readonly era: Era;
  readonly sessionId: string | undefined;
  readonly header: HeaderReader;
  /** Sends a notification that belongs to the request. */
  readonly notify: (message: string) => void;
  /** Is told of the call before it starts; the function it returns is called after its end. */
  readonly onCall: (call: ActiveCall) => () => void;
}

/** A request on its way through the protocol. */
export interface ScopedRequest {
  readonly request: JSONRPCRequest;
  readonly scope: RequestScope;
}

type Handler = (scoped: ScopedRequest) => Settled | Promise<Settled>;

/** Answers the protocol's methods out of a service; knows nothing of HTTP. */
export class ServiceProtocol {
  readonly #service: McpService;
  readonly #callTimeoutMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #listing: ToolListing;
  readonly #handlers: Readonly<Record<Era, ReadonlyMap<string, Handler>>>;
  #running = 0;

  constructor(
    service: McpService,
    limits: Pick<McpHttpLimits, 'callTimeoutMs'>,
    onError: (error: unknown) => void,
  ) {
    this.#service = service;
    this.#callTimeoutMs = limits.callTimeoutMs;
    this.#onError = onError;
    this.#listing = new ToolListing(service);
    const list: Handler = (scoped) => this.#list(scoped);
    const call: Handler = (scoped) => this.#call(scoped);
    const discovery = JSON.stringify(
      stampModernResult(service, discoverResult(service), { isListing: true }),
    );
    this.#handlers = {
      legacy: new Map([
        ['ping', ({ request }) => settledResult(request, '{}')],
        ['tools/list', list],
        ['tools/call', call],
      ]),
      modern: new Map([
        ['server/discover', ({ request }) => settledResult(request, discovery)],
        ['tools/list', list],
        ['tools/call', call],
      ]),
    };
  }

  /** Number of `tools/call` requests that run. */
  get runningCalls(): number {
    return this.#running;
  }

  /** Answers `initialize`; without a revision the request is refused and no session may start. */
  initialize(request: JSONRPCRequest): { readonly settled: Settled; readonly revision?: string } {
    const requested = request.params?.['protocolVersion'];
    if (typeof requested !== 'string') {
      const message = 'params.protocolVersion must be a string';
      return { settled: settledError(request, { code: RPC_CODE.invalidParams, message }) };
    }
    const revision = agreedRevision(requested);
    const result = JSON.stringify(initializeResult(this.#service, revision));
    return { settled: settledResult(request, result), revision };
  }

  /** Answers any other request; never rejects. */
  answer(scoped: ScopedRequest): Settled | Promise<Settled> {
    const { request, scope } = scoped;
    const handler = this.#handlers[scope.era].get(request.method);
    return handler === undefined ? methodNotFound(scoped) : handler(scoped);
  }

  #list({ request, scope }: ScopedRequest): Settled {
    if (request.params !== undefined && Object.hasOwn(request.params, 'cursor')) {
      const message = 'Invalid cursor: the list has one page';
      return settledError(request, { code: RPC_CODE.invalidParams, message });
    }
    return settledResult(request, this.#listing.json(scope.era));
  }

  #call(scoped: ScopedRequest): Settled | Promise<Settled> {
    const { request } = scoped;
    const parsed = parseToolCall(request.params, (name) => this.#listing.has(name));
    return parsed.ok ? this.#run(scoped, parsed.call) : settledError(request, parsed.error);
  }

  async #run({ request, scope }: ScopedRequest, toolCall: ToolCall): Promise<Settled> {
    const active = new ActiveCall();
    const release = scope.onCall(active);
    this.#running += 1;
    try {
      const outcome = await active.run({
        timeoutMs: this.#callTimeoutMs,
        onError: this.#onError,
        start: (signal) => {
          const { name, arguments: args } = toolCall;
          const context = callContext(scope, toolCall, { signal, active });
          return this.#service.callTool({ name, arguments: args }, context);
        },
      });
      return this.#settled(request, scope.era, outcome);
    } finally {
      this.#running -= 1;
      release();
    }
  }

  #settled(request: JSONRPCRequest, era: Era, outcome: CallOutcome): Settled {
    switch (outcome.kind) {
      case 'cancelled':
        return { message: undefined, status: 200 };
      case 'error':
        return settledError(request, outcome.error);
      case 'result':
        return this.#settledResult(request, era, outcome.result);
    }
  }

  #settledResult(request: JSONRPCRequest, era: Era, result: unknown): Settled {
    try {
      if (!isJsonObject(result)) throw new TypeError('A tool result must be an object');
      const stamped = era === 'modern' ? stampModernResult(this.#service, result) : result;
      return settledResult(request, JSON.stringify(stamped));
    } catch (error) {
      this.#onError(error);
      return settledError(request, INTERNAL_ERROR);
    }
  }
}

const settledResult = ({ id }: JSONRPCRequest, resultJson: string): Settled => ({
  message: resultMessage(id, resultJson),
  status: 200,
});

const settledError = ({ id }: JSONRPCRequest, error: RpcError): Settled => ({
  message: errorMessage(id, error),
  status: 200,
});

/** 2026-07-28 answers an unknown method with 404 too; earlier revisions keep the error inside a 200. */
const methodNotFound = ({ request, scope }: ScopedRequest): Settled => ({
  ...settledError(request, { code: RPC_CODE.methodNotFound, message: 'Method not found' }),
  status: scope.era === 'modern' ? 404 : 200,
});

const callContext = (
  scope: RequestScope,
  { meta, progressToken }: ToolCall,
  { signal, active }: { readonly signal: AbortSignal; readonly active: ActiveCall },
): CallContext => ({
  sessionId: scope.sessionId,
  header: scope.header,
  signal,
  ...(meta !== undefined && { meta }),
  ...(progressToken !== undefined && {
    onProgress: (progress) => {
      if (active.isOver) return;
      const params = progressParams(progressToken, progress);
      scope.notify(notificationMessage('notifications/progress', params));
    },
  }),
});
