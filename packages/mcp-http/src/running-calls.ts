import { RPC_CODE, type RpcError } from './json-rpc.ts';
import type { McpHttpLimits } from './limits.ts';
import { SHUTTING_DOWN, type RunningCall } from './running-call.ts';

/** Knows the running calls, so that a disconnect, a cancellation, their time limit or a shutdown reaches them. */
export class RunningCalls {
  readonly #calls = new Map<RunningCall, () => void>();
  readonly #limits: Pick<McpHttpLimits, 'callTimeoutMs' | 'keepAliveMs'>;

  constructor(limits: Pick<McpHttpLimits, 'callTimeoutMs' | 'keepAliveMs'>) {
    this.#limits = limits;
  }

  /** Number of calls that run. */
  get size(): number {
    return this.#calls.size;
  }

  /** Follows a call, and the `POST` that waits for it, until it is released. */
  add(call: RunningCall): void {
    const { callTimeoutMs, keepAliveMs } = this.#limits;
    const { exchange } = call.scope;
    const { session, request } = call;
    const stopWatching = exchange.whenGone(() => call.cancel('The caller has disconnected'));
    session?.calls.set(request.id, call);
    const deadline = setTimeout(() => {
      call.fail(timeoutError(callTimeoutMs), 'The call timed out');
    }, callTimeoutMs);
    // Without a byte for so long, proxies and clients would take the connection for dead.
    const waiting = setTimeout(() => exchange.keepAlive(), keepAliveMs);
    this.#calls.set(call, () => {
      stopWatching();
      if (session?.calls.get(request.id) === call) session.calls.delete(request.id);
      clearTimeout(deadline);
      clearTimeout(waiting);
    });
  }

  /** Stops following a call, since it is over or waits without a `POST`. */
  release(call: RunningCall): void {
    this.#calls.get(call)?.();
    this.#calls.delete(call);
  }

  /** Ends every running call with an error. */
  shutDown(): void {
    for (const call of [...this.#calls.keys()]) call.fail(SHUTTING_DOWN, SHUTTING_DOWN.message);
  }
}

const timeoutError = (timeoutMs: number): RpcError => ({
  code: RPC_CODE.timeout,
  message: `The request timed out after ${timeoutMs} ms`,
});
