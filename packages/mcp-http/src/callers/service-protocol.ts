import type { CallAdmission } from '../calls/call-admission.ts';
import { RPC_CODE } from '@gateway/call-contract';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { parseCallParams, type CallParams } from '../protocol/call-params.ts';
import { CallRunner } from '../calls/call-runner.ts';
import { AnswerWriter } from './answer-writer.ts';
import type { Clients } from './clients.ts';
import type { SettledResponse } from '../protocol/response-sink.ts';
import { ListTexts } from '../protocol/list-text.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { CallMethod, ListMethod, RequestContext } from '../protocol/mcp-service.ts';
import { ParamHeaders } from '../protocol/param-headers.ts';
import {
  agreedRevision,
  CAPABILITY_OF,
  discoverResult,
  initializeResult,
  cacheableResultStamp,
  type Era,
} from '../protocol/protocol-results.ts';
import type { SessionRequest } from '../sessions/session-scope.ts';
import { refusalError, refusalStatus } from '../protocol/refusal.ts';
import { resultText } from '../protocol/result-text.ts';
import { RequiredScopes, type RequiredScopesDependencies } from '../calls/required-scopes.ts';
import { RunningCall, type CallDependencies, type CallEnd } from '../calls/running-call.ts';
import type { RunningCalls } from '../calls/running-calls.ts';
import { CALL_METHODS, LIST_METHODS } from '../protocol/service-methods.ts';
import {
  methodNotFound,
  errorResponse,
  INTERNAL_ERROR,
  resultResponse,
  settleResult,
} from '../protocol/responses.ts';

/** The dependencies of {@link ServiceProtocol}. */
export interface ServiceProtocolDependencies extends RequiredScopesDependencies {
  readonly clients: Clients;
  readonly calls: RunningCalls;
  readonly admission: CallAdmission;
  readonly limits: Pick<McpHttpLimits, 'listTtlMs' | 'resourceTtlMs'>;
  readonly onError: (error: unknown) => void;
}

/** Answers a request into its exchange, at once or later. */
type Handler = (scoped: SessionRequest) => void;

/** Answers the protocol's methods out of a service. */
export class ServiceProtocol {
  readonly #dependencies: ServiceProtocolDependencies;
  readonly #lists: ListTexts;
  readonly #answers: AnswerWriter;
  readonly #handlers: Readonly<Record<Era, ReadonlyMap<string, Handler>>>;
  readonly #paramHeaders: ParamHeaders | undefined;
  readonly #scopes: RequiredScopes | undefined;
  readonly #callDependencies: CallDependencies;
  readonly #runner: CallRunner;

  constructor(dependencies: ServiceProtocolDependencies) {
    const { service, clients, calls, limits } = dependencies;
    this.#dependencies = dependencies;
    const listStamp = cacheableResultStamp(service, limits.listTtlMs);
    this.#runner = new CallRunner(dependencies);
    this.#lists = new ListTexts(listStamp);
    this.#answers = new AnswerWriter(dependencies);
    this.#paramHeaders = service.inputSchema === undefined ? undefined : new ParamHeaders(service);
    this.#scopes =
      service.missingScopes === undefined ? undefined : new RequiredScopes(dependencies);
    this.#callDependencies = {
      callerOf: (call) => clients.callerOf(call),
      onEnd: (call, outcome) => {
        call.withdraw?.();
        calls.release(call);
        call.scope.exchange.settle(this.#settled(call, outcome));
      },
    };
    const shared = this.#serviceHandlers();
    const discovery = (): string => resultText(discoverResult(service), listStamp);
    this.#handlers = {
      legacy: new Map([...shared, ['ping', (scoped) => settleResult(scoped, '{}')]]),
      modern: new Map([
        ...shared,
        ['server/discover', (scoped) => settleResult(scoped, discovery())],
      ]),
    };
  }

  /** Answers `initialize`; without a revision the request is refused and no session may start. */
  initialize(request: JSONRPCRequest): {
    readonly settled: SettledResponse;
    readonly revision?: string;
  } {
    const requested = request.params?.['protocolVersion'];
    if (typeof requested !== 'string') {
      const message = 'params.protocolVersion must be a string';
      return { settled: errorResponse(request, { code: RPC_CODE.invalidParams, message }) };
    }
    const revision = agreedRevision(requested);
    const result = JSON.stringify(initializeResult(this.#dependencies.service, revision));
    return { settled: resultResponse(request, result), revision };
  }

  /** Answers any other request into its exchange, at once or later; never throws. */
  answer(scoped: SessionRequest): void {
    const { request, scope } = scoped;
    const handler = this.#handlers[scope.era].get(request.method);
    if (handler === undefined) this.#answerOther(scoped);
    else handler(scoped);
  }

  #serviceHandlers(): readonly (readonly [string, Handler])[] {
    const list = (method: ListMethod): Handler => {
      return (scoped) => scoped.scope.exchange.settle(this.#list(method, scoped));
    };
    const call = (method: CallMethod): Handler => {
      return (scoped) => this.#call(method, scoped);
    };
    return [
      ...LIST_METHODS.map((method) => [method, this.#whenServed(method, list(method))] as const),
      ...CALL_METHODS.map((method) => [method, this.#whenServed(method, call(method))] as const),
    ];
  }

  /**
   * Checks the capability of a method once if it is present from the start, and for each request otherwise: capabilities are
   * added, never removed.
   */
  #whenServed(method: ListMethod | CallMethod, handler: Handler): Handler {
    const { service } = this.#dependencies;
    const isServed = (): boolean => service.capabilities[CAPABILITY_OF[method]] !== undefined;
    if (isServed()) return handler;
    return (scoped) => {
      if (isServed()) handler(scoped);
      else scoped.scope.exchange.settle(methodNotFound(scoped));
    };
  }

  #answerOther(scoped: SessionRequest): void {
    const { exchange } = scoped.scope;
    const answer = this.#dependencies.clients.answer(scoped) ?? methodNotFound(scoped);
    if (!(answer instanceof Promise)) {
      exchange.settle(answer);
      return;
    }
    answer.then(
      (settled) => exchange.settle(settled),
      (error: unknown) => {
        this.#dependencies.onError(error);
        exchange.settle(errorResponse(scoped.request, INTERNAL_ERROR));
      },
    );
  }

  #list(method: ListMethod, { request, scope }: SessionRequest): SettledResponse {
    if (request.params !== undefined && Object.hasOwn(request.params, 'cursor')) {
      const message = 'Invalid cursor: the list has one page';
      return errorResponse(request, { code: RPC_CODE.invalidParams, message });
    }
    try {
      const answer = this.#dependencies.service.list(method, contextOf(scope));
      return answer.ok
        ? resultResponse(request, this.#lists.text(method, answer.items, scope.era))
        : errorResponse(request, answer.error);
    } catch (error) {
      this.#dependencies.onError(error);
      return errorResponse(request, INTERNAL_ERROR);
    }
  }

  #call(method: CallMethod, scoped: SessionRequest): void {
    const { request, scope } = scoped;
    const parsed = parseCallParams(method, request.params);
    if (!parsed.ok) {
      scope.exchange.settle(errorResponse(request, parsed.error));
      return;
    }
    const refusal = this.#refuse(method, scoped, parsed.call);
    if (refusal !== undefined) {
      scope.exchange.settle(refusal);
      return;
    }
    const { requestState } = parsed.call;
    if (requestState !== undefined && this.#dependencies.clients.isRetry(scoped, requestState)) {
      this.#retry(method, scoped, parsed.call);
    } else this.#run(method, scoped, parsed.call);
  }

  /** Resumes a suspended call if the headers of the retry admit the call. */
  #retry(method: CallMethod, scoped: SessionRequest, { params, requestState }: CallParams): void {
    const { clients, service, onError } = this.#dependencies;
    const { request, scope } = scoped;
    try {
      const refused = service.refuseCall?.({ method, params }, contextOf(scope));
      if (refused !== undefined) scope.exchange.settle(this.#answers.write(scoped, refused));
      else if (requestState !== undefined) clients.resume(scoped, requestState);
    } catch (error) {
      onError(error);
      scope.exchange.settle(errorResponse(request, INTERNAL_ERROR));
    }
  }

  /** Returns the answer to a call whose headers contradict its arguments, or whose credentials lack scopes. */
  #refuse(
    method: CallMethod,
    { request, scope }: SessionRequest,
    { params }: CallParams,
  ): SettledResponse | undefined {
    // Only calls of tools of 2026-07-28 have arguments that travel as headers too.
    if (method === 'tools/call' && scope.era === 'modern') {
      const mismatch = this.#paramHeaders?.refuse(params, contextOf(scope));
      if (mismatch !== undefined) return errorResponse(request, mismatch, 400);
    }
    return this.#scopes?.refuse(request, { method, params }, contextOf(scope));
  }

  #run(method: CallMethod, scoped: SessionRequest, params: CallParams): void {
    const call = new RunningCall(scoped, params, this.#callDependencies);
    const refusal = this.#runner.run(call, { method, params: params.params });
    if (refusal === undefined) return;
    const response = errorResponse(scoped.request, refusalError(refusal), refusalStatus(refusal));
    scoped.scope.exchange.settle(response);
  }

  #settled(call: RunningCall, outcome: CallEnd): SettledResponse {
    switch (outcome.kind) {
      case 'cancelled':
        return { message: undefined, status: 200 };
      case 'answer':
        return this.#answers.write(call, outcome.answer);
    }
  }
}

const contextOf = ({ principal, session, header }: SessionRequest['scope']): RequestContext => ({
  ...{ principal, header },
  sessionId: session?.id,
});
