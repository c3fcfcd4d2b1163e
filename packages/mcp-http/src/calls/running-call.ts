import {
  type Caller,
  findText,
  InFlightMap,
  type JsonObject,
  parseTraceContext,
  type Principal,
  type ProgressReport,
  readOwnField,
  RPC_CODE,
  type RpcError,
  type TraceContext,
} from '@gateway/call-contract';
import { tryFormatNotification } from '@gateway/mcp-wire';
import { CLIENT_INFO_META_KEY, type JSONRPCRequest } from '@modelcontextprotocol/server';
import type { CallParams } from '../protocol/client-message.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import type { ServiceAnswer, ServiceCallContext } from '../protocol/mcp-service.ts';
import { type HeaderReader, findSingleHeader } from '../protocol/client-message.ts';
import {
  readSessionId,
  type Session,
  type SessionRequest,
  type SessionScope,
} from '../sessions/session-store.ts';

/** One point in time of an owner; its links are `undefined` after it is due or cancelled. */
export interface Deadline<Owner> {
  readonly owner: Owner;
  readonly dueAt: number;
  previous: Deadline<Owner> | undefined;
  next: Deadline<Owner> | undefined;
  isWaiting: boolean;
}

/** The longest delay of a timer of the runtime, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Deadlines that are all equally far away when they are set, behind one timer: since the first one set is the first one
 * due, setting and giving up cost a few assignments, however many wait.
 */
export class Deadlines<Owner> {
  readonly #delayMs: number;
  readonly #onDue: (owner: Owner) => void;
  #first: Deadline<Owner> | undefined;
  #last: Deadline<Owner> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param onDue called with the owner of a deadline when its time is up; it must not throw */
  constructor(delayMs: number, onDue: (owner: Owner) => void) {
    this.#delayMs = Math.min(delayMs, MAX_TIMER_MS);
    this.#onDue = onDue;
  }

  /** The owners of the waiting deadlines at this moment, the first one due first. */
  listOwners(): readonly Owner[] {
    const owners = [];
    for (let one = this.#first; one !== undefined; one = one.next) owners.push(one.owner);
    return owners;
  }

  set(owner: Owner): Deadline<Owner> {
    const deadline: Deadline<Owner> = {
      owner,
      dueAt: performance.now() + this.#delayMs,
      previous: this.#last,
      next: undefined,
      isWaiting: true,
    };
    if (this.#last === undefined) this.#first = deadline;
    else this.#last.next = deadline;
    this.#last = deadline;
    // An existing timer fires for an earlier deadline and then arms itself for the next one.
    if (this.#timer === undefined) this.#arm(this.#delayMs);
    return deadline;
  }

  /** Cancels a deadline; does nothing after it is due. */
  cancel(deadline: Deadline<Owner>): void {
    if (!deadline.isWaiting) return;
    deadline.isWaiting = false;
    const { previous, next } = deadline;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
    deadline.previous = undefined;
    deadline.next = undefined;
  }

  #arm(delayMs: number): void {
    this.#timer = setTimeout(() => this.#fire(), delayMs);
    this.#timer.unref();
  }

  #armFor({ dueAt }: Deadline<Owner>, now: number): void {
    if (this.#timer === undefined) this.#arm(Math.ceil(dueAt - now));
  }

  #fire(): void {
    this.#timer = undefined;
    const now = performance.now();
    let first = this.#first;
    while (first !== undefined && first.dueAt <= now) {
      this.cancel(first);
      this.#onDue(first.owner);
      first = this.#first;
    }
    // A deadline that a listener has set has armed the timer already.
    if (first !== undefined) this.#armFor(first, now);
  }
}

/** How a call ended. */
export type CallEnd =
  | { readonly kind: 'answer'; readonly answer: ServiceAnswer }
  /** Cancelled by the caller, which waits for no answer. */
  | { readonly kind: 'cancelled' };

/** The error of a call that the shutdown of the server ends. */
export const SHUTTING_DOWN: RpcError = {
  code: RPC_CODE.transport,
  message: 'The server is shutting down',
};

/** Keys of `_meta` that describe the trace of a request. */
const TRACE_KEYS = ['traceparent', 'tracestate'];

/** The route that a call takes back to its caller. */
export interface CallOwner {
  /** Creates the caller; called once, when the service first reads it. */
  createCaller(call: RunningCall): Caller;
  endCall(call: RunningCall, outcome: CallEnd): void;
}

/** The resources that are released when a call is no longer tracked. */
interface CallTracking {
  readonly stopWatching: () => void;
  readonly deadline: Deadline<RunningCall>;
  readonly waiting: Deadline<RunningCall>;
}

interface OpenQuestions {
  /**
   * Withdraws the questions, because the call is over. Returns `true` when no request waits for the outcome and it is stored for
   * a retry.
   */
  readonly onEnd: (outcome: CallEnd) => boolean;
}

/**
 * One running call, and the context of it that the service receives. It ends exactly once: by its answer, by cancellation or by
 * its time limit.
 */
export class RunningCall implements ServiceCallContext {
  readonly principal: Principal;
  /** The request that waits for the answer now; it changes when a suspended call is resumed. */
  request: JSONRPCRequest;
  readonly session: Session | undefined;
  readonly meta?: JsonObject;
  readonly onProgress?: (progress: ProgressReport) => void;
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
  /** The source of that request and the channel of its answer. */
  scope: SessionScope;
  /** The resources that track the call while it runs. */
  tracking: CallTracking | undefined;
  /** The unanswered questions to the caller; absent until the first question. */
  questions?: OpenQuestions;
  /** Gives up the place in a queue; absent when the call does not wait in one. */
  withdraw: (() => void) | undefined;
  readonly #owner: CallOwner;
  readonly #origin: SessionScope;
  #progressToken: string | number | undefined;
  #isOver = false;
  #abortReason: DOMException | undefined;
  #controller: AbortController | undefined;
  #caller: Caller | undefined;

  constructor({ request, scope }: SessionRequest, call: CallParams, owner: CallOwner) {
    this.request = request;
    this.scope = scope;
    this.principal = scope.principal;
    this.session = scope.session;
    this.#origin = scope;
    this.#owner = owner;
    const { meta, progressToken, inputResponses, requestState } = call;
    if (meta !== undefined) this.meta = meta;
    if (progressToken !== undefined) {
      this.#progressToken = progressToken;
      this.onProgress = (progress) => {
        const token = this.#progressToken;
        if (token === undefined) return;
        this.notify('notifications/progress', { ...progress, progressToken: token });
      };
    }
    if (scope.era !== 'modern') return;
    if (inputResponses !== undefined) this.inputResponses = inputResponses;
    if (requestState !== undefined) this.requestState = requestState;
  }

  get sessionId(): string | undefined {
    return readSessionId(this.#origin);
  }

  get callerKey(): string | undefined {
    return this.#origin.callerKey;
  }

  get header(): HeaderReader {
    return this.#origin.header;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get deadline(): number | undefined {
    const dueAt = this.tracking?.deadline.dueAt;
    return dueAt === undefined ? undefined : performance.timeOrigin + dueAt;
  }

  /** `_meta` of the request has precedence over the headers of the transport. The two are never combined into one trace. */
  get trace(): TraceContext | undefined {
    const { meta, header } = this;
    if (meta !== undefined && TRACE_KEYS.some((key) => Object.hasOwn(meta, key))) {
      return parseTraceContext(meta['traceparent'], meta['tracestate']);
    }
    const parent = findSingleHeader(header, 'traceparent');
    return parent === undefined
      ? undefined
      : parseTraceContext(parent, header('tracestate')?.join(','));
  }

  get clientName(): string | undefined {
    const info = readOwnField(this.request.params?._meta, CLIENT_INFO_META_KEY);
    return findText(readOwnField(info, 'name'));
  }

  get caller(): Caller {
    return (this.#caller ??= this.#owner.createCaller(this));
  }

  /** Returns whether the call has an outcome. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a notification that belongs to the call; dropped once the call is over, and when it cannot be written as JSON. */
  notify(method: string, params: object): void {
    if (this.#isOver) return;
    const message = tryFormatNotification(method, params);
    if (message !== undefined) this.scope.sink.notify(message);
  }

  /** Continues the call for another request of the same caller. */
  continueFor(
    { request, scope }: SessionRequest,
    progressToken: string | number | undefined,
  ): void {
    this.request = request;
    this.scope = scope;
    this.#progressToken = progressToken;
  }

  /** Delivers the outcome to the request that waits for it. */
  deliver(outcome: CallEnd): void {
    if (this.questions?.onEnd(outcome) !== true) this.#owner.endCall(this, outcome);
  }

  /** Ends the call by an answer of the service. */
  answer(answer: ServiceAnswer): void {
    this.#end({ kind: 'answer', answer });
  }

  /** Ends the call for its caller and aborts its signal. */
  cancel(reason: string): void {
    this.#abort({ kind: 'cancelled' }, reason);
  }

  /** Ends the call with an error for its caller and aborts its signal. */
  fail(error: RpcError, reason: string): void {
    this.#abort({ kind: 'answer', answer: { ok: false, error } }, reason);
  }

  #abort(outcome: CallEnd, reason: string): void {
    if (this.#isOver) return;
    this.#abortReason = new DOMException(reason, 'AbortError');
    this.#end(outcome);
    this.#controller?.abort(this.#abortReason);
  }

  #end(outcome: CallEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.deliver(outcome);
  }
}

/** The running calls of an endpoint, so that a disconnect, a cancellation, their time limit or a shutdown reaches them. */
export class RunningCalls {
  readonly #deadlines: Deadlines<RunningCall>;
  readonly #waits: Deadlines<RunningCall>;
  #size = 0;

  constructor({ callTimeoutMs, keepAliveMs }: McpHttpLimits) {
    this.#deadlines = new Deadlines(callTimeoutMs, (call) => {
      call.fail(createTimeoutError(callTimeoutMs), 'The call timed out');
    });
    // Proxies and clients close a connection that carries no byte for this long.
    this.#waits = new Deadlines(keepAliveMs, ({ scope }) => scope.sink.keepAlive());
  }

  /** Number of calls that run. */
  get size(): number {
    return this.#size;
  }

  /** Tracks a call, and the `POST` that waits for it, until it is released. */
  add(call: RunningCall): void {
    const { session, scope, request } = call;
    if (session !== undefined) (session.calls ??= new InFlightMap()).set(request.id, call);
    this.#size += 1;
    call.tracking = {
      stopWatching: scope.sink.onDisconnect(() => call.cancel('The caller has disconnected')),
      deadline: this.#deadlines.set(call),
      waiting: this.#waits.set(call),
    };
  }

  /** Stops tracking a call that is over or waits without a `POST`. */
  release(call: RunningCall): void {
    const { tracking } = call;
    if (tracking === undefined) return;
    call.tracking = undefined;
    this.#size -= 1;
    tracking.stopWatching();
    this.#deadlines.cancel(tracking.deadline);
    this.#waits.cancel(tracking.waiting);
    const { session, request } = call;
    if (session?.calls?.get(request.id) === call) session.calls.delete(request.id);
  }

  /** Ends every running call with an error. */
  shutDown(): void {
    for (const call of this.#deadlines.listOwners())
      call.fail(SHUTTING_DOWN, SHUTTING_DOWN.message);
  }
}

const createTimeoutError = (timeoutMs: number): RpcError => ({
  code: RPC_CODE.timeout,
  message: `The request timed out after ${timeoutMs} ms`,
});
