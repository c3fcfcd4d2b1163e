import { InFlight, RPC_CODE, type RpcError } from '@gateway/call-contract';
import { Deadlines } from './deadlines.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { SHUTTING_DOWN, type RunningCall } from './running-call.ts';

/** The running calls of an endpoint, so that a disconnect, a cancellation, their time limit or a shutdown reaches them. */
export class RunningCalls {
  /** Of every call that runs. */
  readonly #deadlines: Deadlines<RunningCall>;
  readonly #waits: Deadlines<RunningCall>;
  #size = 0;

  constructor({
    callTimeoutMs,
    keepAliveMs,
  }: Pick<McpHttpLimits, 'callTimeoutMs' | 'keepAliveMs'>) {
    this.#deadlines = new Deadlines(callTimeoutMs, (call) => {
      call.fail(timeoutError(callTimeoutMs), 'The call timed out');
    });
    // Proxies and clients close a connection that carries no byte for this long.
    this.#waits = new Deadlines(keepAliveMs, ({ scope }) => scope.exchange.keepAlive());
  }

  /** Number of calls that run. */
  get size(): number {
    return this.#size;
  }

  /** Tracks a call, and the `POST` that waits for it, until it is released. */
  add(call: RunningCall): void {
    const { session, scope, request } = call;
    if (session !== undefined) (session.calls ??= new InFlight()).set(request.id, call);
    this.#size += 1;
    call.followed = {
      stopWatching: scope.exchange.onDisconnect(() => call.cancel('The caller has disconnected')),
      deadline: this.#deadlines.set(call),
      waiting: this.#waits.set(call),
    };
  }

  /** Stops tracking a call that is over or waits without a `POST`. */
  release(call: RunningCall): void {
    const { followed } = call;
    if (followed === undefined) return;
    call.followed = undefined;
    this.#size -= 1;
    followed.stopWatching();
    this.#deadlines.cancel(followed.deadline);
    this.#waits.cancel(followed.waiting);
    const { session, request } = call;
    if (session?.calls?.get(request.id) === call) session.calls.delete(request.id);
  }

  /** Ends every running call with an error. */
  shutDown(): void {
    for (const call of this.#deadlines.owners()) call.fail(SHUTTING_DOWN, SHUTTING_DOWN.message);
  }
}

const timeoutError = (timeoutMs: number): RpcError => ({
  code: RPC_CODE.timeout,
  message: `The request timed out after ${timeoutMs} ms`,
});
