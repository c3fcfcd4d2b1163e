import {
  ANONYMOUS,
  parseTraceContext,
  RPC_CODE,
  type Caller,
  type JsonObject,
  type ProgressReport,
  type RpcError,
  type TraceContext,
} from '@gateway/call-contract';
import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { progressParams, type CallParams } from '../protocol/call-params.ts';
import type { Deadline } from './deadlines.ts';
import { writtenNotification } from '../protocol/json-rpc.ts';
import type { ServiceAnswer, ServiceCallContext } from '../protocol/mcp-service.ts';
import { singleHeader, type HeaderReader } from '../protocol/request-headers.ts';
import type { SessionScope, SessionRequest } from '../sessions/session-scope.ts';
import type { Session } from '../sessions/session-store.ts';

/** How a call ended. */
export type CallEnd =
  | { readonly kind: 'answer'; readonly answer: ServiceAnswer }
  /** Cancelled by the caller, who waits for no answer. */
  | { readonly kind: 'cancelled' };

/** What the caller of a call is told that the end of the server cuts. */
export const SHUTTING_DOWN: RpcError = {
  code: RPC_CODE.transport,
  message: 'The server is shutting down',
};

/** What a running call reaches of its surroundings. */
export interface CallDependencies {
  /** Makes the caller; asked once, when the service first looks at it. */
  readonly callerOf: (call: RunningCall) => Caller;
  /** Told once, at the end of the call. */
  readonly onEnd: (call: RunningCall, outcome: CallEnd) => void;
}

/** What is given up when a call is not followed any more. */
export interface FollowedCall {
  readonly number: number;
  readonly stopWatching: () => void;
  readonly deadline: Deadline;
  readonly waiting: Deadline;
}

/** The questions of a call to its caller. */
export interface OpenQuestions {
  /** Withdraws them, since the call is over; `true` when nobody waits for the outcome now and it is kept for later. */
  readonly onEnd: (outcome: CallEnd) => boolean;
}

/**
 * One call on its way through the service, and what the service sees of it.
 * It ends exactly once: by its answer, by cancellation or by its time limit.
 */
export class RunningCall implements ServiceCallContext {
  readonly principal = ANONYMOUS;
  /** The request that waits for the answer now; another one after the call was suspended and resumed. */
  request: JSONRPCRequest;
  readonly session: Session | undefined;
  readonly meta?: JsonObject;
  readonly onProgress?: (progress: ProgressReport) => void;
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
  /** Where that request came from and its answer goes. */
  scope: SessionScope;
  /** What follows the call while it runs. */
  followed: FollowedCall | undefined;
  /** What the caller was asked and has not answered; absent while nothing was ever asked. */
  questions?: OpenQuestions;
  readonly #dependencies: CallDependencies;
  readonly #origin: SessionScope;
  #progressToken: string | number | undefined;
  #isOver = false;
  #abortReason: DOMException | undefined;
  #controller: AbortController | undefined;
  #caller: Caller | undefined;

  constructor(
    { request, scope }: SessionRequest,
    call: CallParams,
    dependencies: CallDependencies,
  ) {
    this.request = request;
    this.scope = scope;
    this.session = scope.session;
    this.#origin = scope;
    this.#dependencies = dependencies;
    const { meta, progressToken, inputResponses, requestState } = call;
    if (meta !== undefined) this.meta = meta;
    if (progressToken !== undefined) {
      this.#progressToken = progressToken;
      this.onProgress = (progress) => {
        const token = this.#progressToken;
        if (token === undefined) return;
        this.notify('notifications/progress', progressParams(token, progress));
      };
    }
    if (scope.era !== 'modern') return;
    if (inputResponses !== undefined) this.inputResponses = inputResponses;
    if (requestState !== undefined) this.requestState = requestState;
  }

  get sessionId(): string | undefined {
    return this.session?.id;
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
    const dueAt = this.followed?.deadline.dueAt;
    return dueAt === undefined ? undefined : performance.timeOrigin + dueAt;
  }

  /** `_meta` of the request has precedence over the headers of the transport. */
  get trace(): TraceContext | undefined {
    const { meta, header } = this;
    if (meta !== undefined && Object.hasOwn(meta, 'traceparent')) {
      return parseTraceContext(meta['traceparent'], meta['tracestate']);
    }
    const parent = singleHeader(header, 'traceparent');
    return parent === undefined
      ? undefined
      : parseTraceContext(parent, header('tracestate')?.join(','));
  }

  get caller(): Caller {
    return (this.#caller ??= this.#dependencies.callerOf(this));
  }

  /** Whether the call has an outcome already. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a notification that belongs to the call; dropped once the call is over, and when it cannot be written as JSON. */
  notify(method: string, params: object): void {
    if (this.#isOver) return;
    const message = writtenNotification(method, params);
    if (message !== undefined) this.scope.exchange.notify(message);
  }

  /** Goes on for another request of the same caller. */
  continueFor(
    { request, scope }: SessionRequest,
    progressToken: string | number | undefined,
  ): void {
    this.request = request;
    this.scope = scope;
    this.#progressToken = progressToken;
  }

  /** Hands the outcome to whoever waits for it. */
  deliver(outcome: CallEnd): void {
    if (this.questions?.onEnd(outcome) !== true) this.#dependencies.onEnd(this, outcome);
  }

  /** Ends the call by an answer of the service. */
  answer(answer: ServiceAnswer): void {
    this.#end({ kind: 'answer', answer });
  }

  /** Ends the call for its caller and tells the service by its signal. */
  cancel(reason: string): void {
    this.#abort({ kind: 'cancelled' }, reason);
  }

  /** Ends the call with an error that its caller can read, and tells the service by its signal. */
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
