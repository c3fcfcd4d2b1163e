import type { JSONRPCRequest } from '@modelcontextprotocol/server';
import { progressParams, type CallParams } from './call-params.ts';
import type { Caller } from './caller.ts';
import { notificationMessage, RPC_CODE, type RpcError } from './json-rpc.ts';
import type { CallContext, JsonObject, Progress, ServiceAnswer } from './mcp-service.ts';
import type { HeaderReader } from './request-headers.ts';
import type { RequestScope } from './request-scope.ts';
import type { Session } from './session-store.ts';

/** How a call ended. */
export type CallOutcome =
  | { readonly kind: 'answer'; readonly answer: ServiceAnswer }
  /** Cancelled by the caller, who waits for no answer. */
  | { readonly kind: 'cancelled' };

/** What the caller of a call is told that the end of the server cuts. */
export const SHUTTING_DOWN: RpcError = {
  code: RPC_CODE.transport,
  message: 'The server is shutting down',
};

/** What a running call reaches of its surroundings. */
export interface CallHome {
  /** Makes the caller; asked once, when the service first looks at it. */
  readonly callerOf: (call: RunningCall) => Caller;
  /** Told once, at the end of the call. */
  readonly onEnd: (call: RunningCall, outcome: CallOutcome) => void;
}

/**
 * One call on its way through the service, and what the service sees of it.
 * It ends exactly once: by its answer, by cancellation or by its time limit.
 */
export class RunningCall implements CallContext {
  readonly request: JSONRPCRequest;
  readonly session: Session | undefined;
  readonly header: HeaderReader;
  readonly meta?: JsonObject;
  readonly onProgress?: (progress: Progress) => void;
  readonly inputResponses?: JsonObject;
  readonly requestState?: string;
  /** The `POST` that waits for the answer now; another one after the call was suspended and resumed. */
  scope: RequestScope;
  readonly #home: CallHome;
  #isOver = false;
  #abortReason: DOMException | undefined;
  #controller: AbortController | undefined;
  #caller: Caller | undefined;

  constructor(
    { request, scope }: { readonly request: JSONRPCRequest; readonly scope: RequestScope },
    call: CallParams,
    home: CallHome,
  ) {
    this.request = request;
    this.scope = scope;
    this.session = scope.session;
    this.header = scope.http.header;
    this.#home = home;
    const { meta, progressToken, inputResponses, requestState } = call;
    if (meta !== undefined) this.meta = meta;
    if (progressToken !== undefined) {
      this.onProgress = (progress) => {
        this.notify('notifications/progress', progressParams(progressToken, progress));
      };
    }
    if (scope.era !== 'modern') return;
    if (inputResponses !== undefined) this.inputResponses = inputResponses;
    if (requestState !== undefined) this.requestState = requestState;
  }

  get sessionId(): string | undefined {
    return this.session?.id;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get caller(): Caller {
    return (this.#caller ??= this.#home.callerOf(this));
  }

  /** Whether the call has an outcome already. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a notification that belongs to the call; dropped once the call is over. */
  notify(method: string, params: object): void {
    if (!this.#isOver) this.scope.exchange.notify(notificationMessage(method, params));
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

  #abort(outcome: CallOutcome, reason: string): void {
    if (this.#isOver) return;
    this.#abortReason = new DOMException(reason, 'AbortError');
    this.#end(outcome);
    this.#controller?.abort(this.#abortReason);
  }

  #end(outcome: CallOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#home.onEnd(this, outcome);
  }
}
