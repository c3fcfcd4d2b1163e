import {
  LISTEN_METHOD,
  type CallMethod,
  type ListMethod,
  type Era,
  CALL_METHODS,
  LIST_METHODS,
} from '@gateway/mcp-wire';
import { type Caller, isJsonObject, RPC_CODE } from '@gateway/call-contract';
import type { JSONRPCNotification, JSONRPCRequest } from '@modelcontextprotocol/server';
import { parseClientFeatures, isLogLevel } from '../protocol/client-features.ts';
import {
  type CallParams,
  isNotification,
  isRequest,
  parseCallParams,
} from '../protocol/client-message.ts';
import { ListTexts } from '../protocol/lists.ts';
import type { RequestContext, ServiceAnswer, ServiceCall } from '../protocol/mcp-service.ts';
import {
  resolveRevision,
  AnswerWriter,
  createCacheableStamp,
  CAPABILITIES,
  createDiscoverResult,
  createErrorResponse,
  createInitializeResult,
  INTERNAL_ERROR,
  createMethodNotFound,
  createResultResponse,
  formatResultText,
  type SettledResponse,
} from '../protocol/results.ts';
import { ParamHeaders } from '../protocol/modern-message.ts';
import {
  type InsufficientScope,
  type EndpointRefusal,
  toRpcError,
  toRefusalStatus,
} from '../protocol/refusal.ts';
import type { EndpointParts } from '../sessions/endpoint-parts.ts';
import { SessionTerminator } from '../sessions/shared-sessions.ts';
import { ListChangeNotifier } from '../sessions/list-changes.ts';
import { SessionChannels, SessionFollows } from '../sessions/session-channels.ts';
import {
  readSessionId,
  type Session,
  type SessionRequest,
  type SessionScope,
  type StreamReader,
} from '../sessions/session-store.ts';
import { ListenStreams } from '../sessions/subscriptions.ts';
import { Relays } from '../wire/peers.ts';
import { CallAdmission, type CallSlots } from './admission.ts';
import { ModernCaller, Questions, SessionCaller } from './callers.ts';
import {
  type CallEnd,
  type CallOwner,
  RunningCall,
  RunningCalls,
  SHUTTING_DOWN,
} from './running-call.ts';
import { SuspendedCalls } from './suspended-calls.ts';

type Answer = SettledResponse | Promise<SettledResponse> | undefined;

/** Answers a request; returns `undefined` when it settles the exchange of the request itself. */
type Handler = (scoped: SessionRequest) => Answer;

/** The answer to `initialize` with the session that it starts or updates, if any. */
type Initialized =
  | {
      readonly ok: true;
      readonly settled: SettledResponse;
      readonly session: Session | undefined;
    }
  | { readonly ok: false; readonly refusal: EndpointRefusal };

const MAX_REASON_CHARS = 200;

/**
 * The route from a parsed message of a client, of any transport, to the service and back: one table of methods for each era, calls that run
 * within their limits, and what clients send without a request.
 */
export class ServiceProtocol implements CallOwner {
  readonly parts: EndpointParts;
  readonly calls: RunningCalls;
  readonly admission: CallAdmission;
  readonly relays: Relays;
  readonly channels: SessionChannels;
  readonly ends: SessionTerminator;
  readonly listens: ListenStreams;
  readonly #questions: Questions;
  readonly #suspended: SuspendedCalls;
  readonly #follows: SessionFollows;
  readonly #scopeChallenge: ((scopes: readonly string[]) => string) | undefined;
  readonly #lists: ListTexts;
  readonly #answers: AnswerWriter;
  readonly #paramHeaders: ParamHeaders | undefined;
  readonly #handlers: Readonly<Record<Era, ReadonlyMap<string, Handler>>>;

  /** @param scopeChallenge returns the value of `WWW-Authenticate` that names scopes; absent where callers do not sign in */
  constructor(
    parts: EndpointParts,
    scopeChallenge: ((scopes: readonly string[]) => string) | undefined,
  ) {
    const { service, limits, bus, sessions, onError } = parts;
    this.parts = parts;
    this.#scopeChallenge = scopeChallenge;
    const watch = new ListChangeNotifier(service, onError);
    this.calls = new RunningCalls(limits);
    this.admission = new CallAdmission(this.calls, limits);
    this.relays = new Relays(bus, limits);
    this.channels = new SessionChannels(parts, watch);
    this.ends = new SessionTerminator(parts);
    this.listens = new ListenStreams(service, limits, watch);
    this.#questions = new Questions(bus, limits);
    this.#suspended = new SuspendedCalls(parts, this.calls, this.relays);
    this.#follows = new SessionFollows(parts, this.channels);
    this.#lists = new ListTexts(createCacheableStamp(service, limits.listTtlMs));
    this.#answers = new AnswerWriter(service, limits.resourceTtlMs, onError);
    this.#paramHeaders = service.inputSchema === undefined ? undefined : new ParamHeaders(service);
    this.#handlers = this.#createHandlers();
    bus.on('notified', ({ session, message }) => {
      if (isNotification(message)) this.#receiveNotification(String(session), message);
    });
    bus.on('session-level', ({ session: id, level }) => {
      const session = sessions.use(String(id));
      if (session !== undefined && isLogLevel(level)) session.logLevel = level;
    });
  }

  /**
   * Answers `initialize`, and starts a session or updates the only one of a connection; a request without a revision does neither.
   */
  initialize(request: JSONRPCRequest, ownerKey: string, only?: Session): Initialized {
    const { service, sessions, limits } = this.parts;
    const { protocolVersion: requested, capabilities } = request.params ?? {};
    if (typeof requested !== 'string') {
      const settled = createInvalidResponse(request, 'params.protocolVersion must be a string');
      return { ok: true, settled, session: undefined };
    }
    const revision = resolveRevision(requested);
    const features = parseClientFeatures(capabilities);
    const session =
      only === undefined
        ? sessions.create(revision, features, ownerKey)
        : Object.assign(only, { revision, features });
    if (session === undefined)
      return { ok: false, refusal: { code: 'sessions-full', limit: limits.maxSessions } };
    const result = JSON.stringify(createInitializeResult(service, revision));
    return { ok: true, settled: createResultResponse(request, result), session };
  }

  /** Answers any other request into its exchange, at once or later; never throws. */
  answer(scoped: SessionRequest): void {
    const { request, scope } = scoped;
    const handler = this.#handlers[scope.era].get(request.method);
    const answer = handler === undefined ? createMethodNotFound(scoped) : handler(scoped);
    if (answer instanceof Promise) void this.#settleLater(scoped, answer);
    else if (answer !== undefined) scope.sink.settle(answer);
  }

  /** Returns why the headers of a request are refused, whatever it requests. */
  refuseHeaders(context: RequestContext): EndpointRefusal | undefined {
    const error = this.parts.service.refuseHeaders?.(context);
    return error && { code: 'protocol-error', status: 400, error };
  }

  /** Returns why posted answers to questions are refused; `undefined` for valid ones, and when there is none. */
  refuseAnswers(
    session: Session | undefined,
    { principal, header }: StreamReader,
    messages: readonly unknown[],
  ): EndpointRefusal | undefined {
    const hasAnswer = messages.some((message) => !isRequest(message) && !isNotification(message));
    if (session === undefined || !hasAnswer) return undefined;
    return this.refuseHeaders({ principal, sessionId: session.id, header });
  }

  /** Receives a notification or a response of a client. */
  receive(session: Session | undefined, message: unknown): void {
    if (session === undefined || !isJsonObject(message)) return;
    if (!isNotification(message)) this.#questions.receive(session, message);
    else if (!this.#receiveNotification(session.id, message)) {
      this.parts.bus.send('notified', { session: session.id, message });
    }
  }

  /** Ends all streams; running calls go on. */
  drain(): void {
    for (const session of this.parts.sessions.list()) {
      for (const stream of session.streams ?? []) stream.announceStop();
      for (const channel of [...(session.channels ?? [])]) channel.close();
      for (const stream of session.streams ?? []) stream.end();
    }
    this.listens.close();
  }

  /** Drains, then ends running calls with an error and forgets all sessions. */
  close(): void {
    this.drain();
    this.calls.shutDown();
    this.#suspended.close(SHUTTING_DOWN);
    this.relays.close();
    this.parts.bus.close();
    const { sessions } = this.parts;
    for (const session of [...sessions.list()]) sessions.end(session);
  }

  createCaller(call: RunningCall): Caller {
    const hasLogging = this.parts.service.capabilities.logging !== undefined;
    return call.scope.era === 'modern'
      ? new ModernCaller(call, hasLogging, this.#suspended)
      : new SessionCaller(call, hasLogging, this.#questions, this.channels);
  }

  endCall(call: RunningCall, outcome: CallEnd): void {
    call.withdraw?.();
    this.calls.release(call);
    call.scope.sink.settle(
      outcome.kind === 'cancelled'
        ? { message: undefined, status: 200 }
        : this.#answers.write(call, outcome.answer),
    );
  }

  #createHandlers(): Readonly<Record<Era, ReadonlyMap<string, Handler>>> {
    const { service, limits } = this.parts;
    const shared: (readonly [string, Handler])[] = [
      ...LIST_METHODS.map((method) =>
        this.#createEntry(method, (scoped) => this.#list(method, scoped)),
      ),
      ...Array.from(CALL_METHODS, (method) =>
        this.#createEntry(method, (scoped) => this.#call(method, scoped)),
      ),
    ];
    const stamp = createCacheableStamp(service, limits.listTtlMs);
    const canSubscribe = (): boolean =>
      service.capabilities.resources?.subscribe === true && service.subscribe !== undefined;
    const canLog = (): boolean => service.capabilities.logging !== undefined;
    return {
      legacy: new Map([
        ...shared,
        ['ping', ({ request }) => createResultResponse(request, '{}')],
        ['logging/setLevel', wrapHandler(canLog, (scoped) => this.#setLevel(scoped))],
        ['resources/subscribe', wrapHandler(canSubscribe, (scoped) => this.#subscribe(scoped))],
        ['resources/unsubscribe', wrapHandler(canSubscribe, (scoped) => this.#unsubscribe(scoped))],
      ]),
      modern: new Map([
        ...shared,
        [
          'server/discover',
          ({ request }) =>
            createResultResponse(request, formatResultText(createDiscoverResult(service), stamp)),
        ],
        [LISTEN_METHOD, (scoped) => this.listens.answer(scoped)],
      ]),
    };
  }

  /**
   * Checks the capability of a method once if it is present from the start, and for each request otherwise: capabilities are
   * added, never removed.
   */
  #createEntry(method: ListMethod | CallMethod, handler: Handler): readonly [string, Handler] {
    const isServed = (): boolean =>
      this.parts.service.capabilities[CAPABILITIES[method]] !== undefined;
    return [method, isServed() ? handler : wrapHandler(isServed, handler)];
  }

  async #settleLater(
    { request, scope }: SessionRequest,
    answer: Promise<SettledResponse>,
  ): Promise<void> {
    let settled: SettledResponse;
    try {
      settled = await answer;
    } catch (error) {
      settled = this.#reportFailure(request, error);
    }
    scope.sink.settle(settled);
  }

  #reportFailure(request: JSONRPCRequest, error: unknown): SettledResponse {
    this.parts.onError(error);
    return createErrorResponse(request, INTERNAL_ERROR);
  }

  #list(method: ListMethod, { request, scope }: SessionRequest): SettledResponse {
    if (request.params !== undefined && Object.hasOwn(request.params, 'cursor')) {
      return createInvalidResponse(request, 'Invalid cursor: the list has one page');
    }
    try {
      const answer = this.parts.service.list(method, toContext(scope));
      return answer.ok
        ? createResultResponse(request, this.#lists.format(method, answer.items, scope.era))
        : createErrorResponse(request, answer.error);
    } catch (error) {
      return this.#reportFailure(request, error);
    }
  }

  #setLevel({ request, scope: { session } }: SessionRequest): SettledResponse {
    const level = request.params?.['level'];
    if (!isLogLevel(level))
      return createInvalidResponse(request, 'params.level must be a level of log messages');
    if (session !== undefined) {
      const { shared, bus } = this.parts;
      session.logLevel = level;
      void shared?.setLogLevel(session, level);
      bus.send('session-level', { session: session.id, level });
    }
    return createResultResponse(request, '{}');
  }

  async #subscribe({ request, scope }: SessionRequest): Promise<SettledResponse> {
    const { session } = scope;
    const uri = request.params?.['uri'];
    if (typeof uri !== 'string')
      return createInvalidResponse(request, 'params.uri must be a string');
    if (session === undefined)
      return createInvalidResponse(request, 'A subscription needs a session');
    const error = await this.#follows.add(session, uri, scope);
    return error === undefined
      ? createResultResponse(request, '{}')
      : createErrorResponse(request, error);
  }

  async #unsubscribe({ request, scope: { session } }: SessionRequest): Promise<SettledResponse> {
    const uri = request.params?.['uri'];
    if (typeof uri !== 'string')
      return createInvalidResponse(request, 'params.uri must be a string');
    if (session !== undefined) await this.#follows.remove(session, uri);
    return createResultResponse(request, '{}');
  }

  #call(method: CallMethod, scoped: SessionRequest): Answer {
    const { request } = scoped;
    const parsed = parseCallParams(method, request.params);
    if (!parsed.ok) return createErrorResponse(request, parsed.error);
    const { requestState, params } = parsed.call;
    const call = { method, params };
    const refusal = this.#refuse(scoped, call);
    if (refusal !== undefined) return refusal;
    return requestState !== undefined && this.#suspended.isRetry(scoped, requestState)
      ? this.#resume(scoped, call, requestState)
      : this.#run(scoped, call, parsed.call);
  }

  /** Returns the answer to a call whose headers contradict its arguments, or whose credentials lack scopes. RFC 6750 §3.1 */
  #refuse({ request, scope }: SessionRequest, call: ServiceCall): SettledResponse | undefined {
    // Only calls of tools of 2026-07-28 have arguments that travel as headers too.
    if (call.method === 'tools/call' && scope.era === 'modern') {
      const mismatch = this.#paramHeaders?.refuse(call.params, toContext(scope));
      if (mismatch !== undefined) return createErrorResponse(request, mismatch, 400);
    }
    const missing = this.parts.service.missingScopes?.(call, toContext(scope));
    if (missing === undefined) return undefined;
    const challenge = this.#scopeChallenge?.(missing.scopes);
    const refusal: InsufficientScope = {
      code: 'insufficient-scope',
      sentence: missing.sentence,
      ...(challenge !== undefined && { challenge }),
    };
    return { ...createRefusalResponse(request, refusal), refusal };
  }

  /** Resumes a suspended call if the headers of the retry admit the call. */
  #resume(scoped: SessionRequest, call: ServiceCall, requestState: string): Answer {
    try {
      const refused = this.parts.service.refuseCall?.(call, toContext(scoped.scope));
      if (refused !== undefined) return this.#answers.write(scoped, refused);
      this.#suspended.resume(scoped, requestState);
      return undefined;
    } catch (error) {
      return this.#reportFailure(scoped.request, error);
    }
  }

  /** Starts a call, or queues it; it ends by itself unless its caller has too many. */
  #run(scoped: SessionRequest, serviceCall: ServiceCall, params: CallParams): Answer {
    const call = new RunningCall(scoped, params, this);
    const refusal = this.admission.start(call, (slots) => this.#start(call, serviceCall, slots));
    return refusal && createRefusalResponse(scoped.request, refusal);
  }

  #start(call: RunningCall, serviceCall: ServiceCall, slots: Pick<CallSlots, 'release'>): void {
    let answer: ServiceAnswer | Promise<ServiceAnswer>;
    try {
      answer = this.parts.service.call(serviceCall, call);
    } catch (error) {
      slots.release();
      this.#endFailed(call, error);
      return;
    }
    if (!(answer instanceof Promise)) {
      slots.release();
      call.answer(answer);
      return;
    }
    // A call that waited is tracked already.
    if (call.tracking === undefined) this.calls.add(call);
    // A cancelled call occupies its slot until the service has ended it.
    answer.then(
      (value) => {
        slots.release();
        call.answer(value);
      },
      (error: unknown) => {
        slots.release();
        this.#endFailed(call, error);
      },
    );
  }

  #endFailed(call: RunningCall, error: unknown): void {
    // A cancelled call rejects with its own cancellation.
    if (call.isOver) return;
    this.parts.onError(error);
    call.answer({ ok: false, error: INTERNAL_ERROR });
  }

  /** Receives a notification of a session. Returns `false` when it concerns nothing in this process. */
  #receiveNotification(session: string, { method, params }: JSONRPCNotification): boolean {
    if (!isJsonObject(params)) return true;
    if (method === 'notifications/progress') return this.#questions.report(session, params);
    if (method !== 'notifications/cancelled') return true;
    const { requestId: id, reason } = params;
    if (typeof id !== 'string' && typeof id !== 'number') return true;
    const call = this.parts.sessions.peek(session)?.calls?.get(id);
    const hasReason = typeof reason === 'string' && reason !== '';
    call?.cancel(hasReason ? reason.slice(0, MAX_REASON_CHARS) : 'The caller has cancelled');
    return call !== undefined;
  }
}

/** Checks for each request whether its method is served now. */
const wrapHandler =
  (isServed: () => boolean, handler: Handler): Handler =>
  (scoped) =>
    isServed() ? handler(scoped) : createMethodNotFound(scoped);

const toContext = (scope: SessionScope): RequestContext => ({
  principal: scope.principal,
  header: scope.header,
  sessionId: readSessionId(scope),
});

const createInvalidResponse = (request: JSONRPCRequest, message: string): SettledResponse =>
  createErrorResponse(request, { code: RPC_CODE.invalidParams, message });

const createRefusalResponse = (
  request: JSONRPCRequest,
  refusal: EndpointRefusal,
): SettledResponse => createErrorResponse(request, toRpcError(refusal), toRefusalStatus(refusal));
