import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { parseCallParams, type CallParams } from './call-params.ts';
import type { Clients } from './clients.ts';
import type { Settled } from './exchange.ts';
import { errorMessage, resultMessage, RPC_CODE, type RpcError } from './json-rpc.ts';
import { ListTexts } from './list-text.ts';
import type { CallMethod, ListMethod, McpService, ServiceAnswer } from './mcp-service.ts';
import {
  agreedRevision,
  CAPABILITY_OF,
  discoverResult,
  initializeResult,
  resultStamp,
  stampModernResult,
  type Era,
} from './protocol-results.ts';
import type { ScopedRequest } from './request-scope.ts';
import { resultText, type ResultStamp } from './result-text.ts';
import { RunningCall, type CallHome, type CallOutcome } from './running-call.ts';
import type { RunningCalls } from './running-calls.ts';

/** What an error of the service looks like from outside: nothing of its inside. */
export const INTERNAL_ERROR: RpcError = { code: RPC_CODE.internal, message: 'Internal error' };

/** What the protocol's methods are answered with. */
export interface ServiceProtocolParts {
  readonly service: McpService;
  readonly clients: Clients;
  readonly calls: RunningCalls;
  readonly onError: (error: unknown) => void;
}

/** Answers a request into its exchange, at once or later. */
type Handler = (scoped: ScopedRequest) => void;

const LIST_METHODS: readonly ListMethod[] = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
];

const CALL_METHODS: readonly CallMethod[] = [
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
];

/** Whether requests of a method reach the service and may take their time. */
export const isCallMethod = (method: string): boolean =>
  method === 'tools/call' || (CALL_METHODS as readonly string[]).includes(method);

/** Answers the protocol's methods out of a service. */
export class ServiceProtocol {
  readonly #parts: ServiceProtocolParts;
  readonly #lists: ListTexts;
  readonly #stamps: Readonly<Record<Era, ResultStamp | undefined>>;
  readonly #handlers: Readonly<Record<Era, ReadonlyMap<string, Handler>>>;
  readonly #home: CallHome;

  constructor(parts: ServiceProtocolParts) {
    const { service, clients, calls } = parts;
    this.#parts = parts;
    this.#lists = new ListTexts(service);
    this.#stamps = { legacy: undefined, modern: resultStamp(service) };
    this.#home = {
      callerOf: (call) => clients.callerOf(call),
      onEnd: (call, outcome) => {
        calls.release(call);
        call.scope.exchange.settle(this.#settled(call, outcome));
      },
    };
    const shared = this.#serviceHandlers();
    const discovery = JSON.stringify(
      stampModernResult(service, discoverResult(service), { isListing: true }),
    );
    this.#handlers = {
      legacy: new Map([...shared, ['ping', (scoped) => settleResult(scoped, '{}')]]),
      modern: new Map([
        ...shared,
        ['server/discover', (scoped) => settleResult(scoped, discovery)],
      ]),
    };
  }

  /** Answers `initialize`; without a revision the request is refused and no session may start. */
  initialize(request: JSONRPCRequest): { readonly settled: Settled; readonly revision?: string } {
    const requested = request.params?.['protocolVersion'];
    if (typeof requested !== 'string') {
      const message = 'params.protocolVersion must be a string';
      return { settled: settledError(request, { code: RPC_CODE.invalidParams, message }) };
    }
    const revision = agreedRevision(requested);
    const result = JSON.stringify(initializeResult(this.#parts.service, revision));
    return { settled: settledResult(request, result), revision };
  }

  /** Answers any other request into its exchange, at once or later; never throws. */
  answer(scoped: ScopedRequest): void {
    const { request, scope } = scoped;
    const handler = this.#handlers[scope.era].get(request.method);
    if (handler === undefined) this.#answerOther(scoped);
    else handler(scoped);
  }

  #serviceHandlers(): readonly (readonly [string, Handler])[] {
    const { capabilities } = this.#parts.service;
    const isServed = (method: ListMethod | CallMethod): boolean =>
      capabilities[CAPABILITY_OF[method]] !== undefined;
    return [
      ...LIST_METHODS.filter(isServed).map(
        (method) =>
          [
            method,
            (scoped: ScopedRequest) => scoped.scope.exchange.settle(this.#list(method, scoped)),
          ] as const,
      ),
      ...CALL_METHODS.filter(isServed).map(
        (method) => [method, (scoped: ScopedRequest) => this.#call(method, scoped)] as const,
      ),
    ];
  }

  #answerOther(scoped: ScopedRequest): void {
    const { exchange } = scoped.scope;
    const answer = this.#parts.clients.answer(scoped) ?? methodNotFound(scoped);
    if (!(answer instanceof Promise)) {
      exchange.settle(answer);
      return;
    }
    answer.then(
      (settled) => exchange.settle(settled),
      (error: unknown) => {
        this.#parts.onError(error);
        exchange.settle(settledError(scoped.request, INTERNAL_ERROR));
      },
    );
  }

  #list(method: ListMethod, { request, scope }: ScopedRequest): Settled {
    if (request.params !== undefined && Object.hasOwn(request.params, 'cursor')) {
      const message = 'Invalid cursor: the list has one page';
      return settledError(request, { code: RPC_CODE.invalidParams, message });
    }
    try {
      const { session, header } = scope;
      const context = { sessionId: session?.id, header };
      const answer = this.#parts.service.list(method, context);
      return answer.ok
        ? settledResult(request, this.#lists.text(method, answer.items, scope.era))
        : settledError(request, answer.error);
    } catch (error) {
      this.#parts.onError(error);
      return settledError(request, INTERNAL_ERROR);
    }
  }

  #call(method: CallMethod, scoped: ScopedRequest): void {
    const { request, scope } = scoped;
    const parsed = parseCallParams(method, request.params);
    if (!parsed.ok) {
      scope.exchange.settle(settledError(request, parsed.error));
      return;
    }
    const { requestState } = parsed.call;
    if (requestState !== undefined && this.#parts.clients.resume(scoped, requestState) === true) {
      return;
    }
    this.#run(method, scoped, parsed.call);
  }

  #run(method: CallMethod, scoped: ScopedRequest, params: CallParams): void {
    const call = new RunningCall(scoped, params, this.#home);
    try {
      const answer = this.#parts.service.call({ method, params: params.params }, call);
      if (!(answer instanceof Promise)) {
        call.answer(answer);
        return;
      }
      this.#parts.calls.add(call);
      answer.then(
        (value) => call.answer(value),
        (error: unknown) => this.#failed(call, error),
      );
    } catch (error) {
      this.#failed(call, error);
    }
  }

  #failed(call: RunningCall, error: unknown): void {
    // What a cancelled call rejects with is its own cancellation.
    if (call.isOver) return;
    this.#parts.onError(error);
    call.answer({ ok: false, error: INTERNAL_ERROR });
  }

  #settled({ request, scope }: RunningCall, outcome: CallOutcome): Settled {
    switch (outcome.kind) {
      case 'cancelled':
        return { message: undefined, status: 200 };
      case 'answer':
        return this.#settledAnswer(request, scope.era, outcome.answer);
    }
  }

  #settledAnswer(request: JSONRPCRequest, era: Era, answer: ServiceAnswer): Settled {
    if (!answer.ok) return settledError(request, answer.error);
    try {
      return settledResult(request, resultText(answer, this.#stamps[era]));
    } catch (error) {
      this.#parts.onError(error);
      return settledError(request, INTERNAL_ERROR);
    }
  }
}

const settleResult = (scoped: ScopedRequest, resultJson: string): void => {
  scoped.scope.exchange.settle(settledResult(scoped.request, resultJson));
};

/** A result as what becomes of its request. */
export const settledResult = ({ id }: JSONRPCRequest, resultJson: string): Settled => ({
  message: resultMessage(id, resultJson),
  status: 200,
});

/** An error as what becomes of its request. */
export const settledError = ({ id }: JSONRPCRequest, error: RpcError): Settled => ({
  message: errorMessage(id, error),
  status: 200,
});

/** 2026-07-28 answers an unknown method with 404 too; earlier revisions keep the error inside a 200. */
const methodNotFound = ({ request, scope }: ScopedRequest): Settled => ({
  ...settledError(request, { code: RPC_CODE.methodNotFound, message: 'Method not found' }),
  status: scope.era === 'modern' ? 404 : 200,
});
