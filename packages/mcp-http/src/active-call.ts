import { RPC_CODE, type RpcError } from './json-rpc.ts';
import type { CallResult } from './mcp-service.ts';

/** How a call ended. */
export type CallOutcome =
  | { readonly kind: 'result'; readonly result: CallResult }
  | { readonly kind: 'error'; readonly error: RpcError }
  /** Cancelled by the caller, who waits for no answer. */
  | { readonly kind: 'cancelled' };

/** What an error of the service looks like from outside: nothing of its inside. */
export const INTERNAL_ERROR: RpcError = { code: RPC_CODE.internal, message: 'Internal error' };

/** What the caller of a call is told that the end of the server cuts. */
const SHUTTING_DOWN: RpcError = {
  code: RPC_CODE.transport,
  message: 'The server is shutting down',
};

/** How to run one call. */
export interface CallRun {
  readonly start: (signal: AbortSignal) => Promise<CallResult>;
  readonly timeoutMs: number;
  readonly onError: (error: unknown) => void;
}

/** One running call that ends exactly once: by its result, by cancellation or by its time limit. */
export class ActiveCall {
  readonly #controller = new AbortController();
  #end: ((outcome: CallOutcome) => void) | undefined;

  /** Whether the call has an outcome already. */
  get isOver(): boolean {
    return this.#end === undefined;
  }

  /** Starts the call; never rejects. Call it once. */
  run({ start, timeoutMs, onError }: CallRun): Promise<CallOutcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#abort({ kind: 'error', error: timeoutError(timeoutMs) }, 'The call timed out');
      }, timeoutMs);
      this.#end = (outcome) => {
        this.#end = undefined;
        clearTimeout(timer);
        resolve(outcome);
      };
      void this.#settle(start, onError);
    });
  }

  /** Ends the call for its caller and tells the service by its signal. */
  cancel(reason: string): void {
    this.#abort({ kind: 'cancelled' }, reason);
  }

  /** Ends the call with an error that its caller can read, since the server is about to go. */
  shutDown(): void {
    this.#abort({ kind: 'error', error: SHUTTING_DOWN }, SHUTTING_DOWN.message);
  }

  async #settle(start: CallRun['start'], onError: CallRun['onError']): Promise<void> {
    try {
      const result = await start(this.#controller.signal);
      this.#end?.({ kind: 'result', result });
    } catch (error) {
      if (this.isOver) return;
      onError(error);
      this.#end?.({ kind: 'error', error: INTERNAL_ERROR });
    }
  }

  #abort(outcome: CallOutcome, reason: string): void {
    if (this.isOver) return;
    this.#end?.(outcome);
    this.#controller.abort(new DOMException(reason, 'AbortError'));
  }
}

const timeoutError = (timeoutMs: number): RpcError => ({
  code: RPC_CODE.timeout,
  message: `The request timed out after ${timeoutMs} ms`,
});
