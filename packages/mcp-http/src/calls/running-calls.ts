import { RPC_CODE, type RpcError } from '@gateway/call-contract';
import { Deadlines } from './deadlines.ts';
import { InFlight } from '../protocol/in-flight.ts';
import type { McpHttpLimits } from '../protocol/limits.ts';
import { SHUTTING_DOWN, type RunningCall } from './running-call.ts';

/** The running calls of an endpoint, so that a disconnect, a cancellation, their time limit or a shutdown reaches them. */
export class RunningCalls {
  readonly #calls = new InFlight<number, RunningCall>();
  #count = 0;
  readonly #callTimeoutMs: number;
  readonly #deadlines: Deadlines;
  readonly #waits: Deadlines;

  constructor({
    callTimeoutMs,
    keepAliveMs,
  }: Pick<McpHttpLimits, 'callTimeoutMs' | 'keepAliveMs'>) {
    this.#callTimeoutMs = callTimeoutMs;
    this.#deadlines = new Deadlines(callTimeoutMs);
    this.#waits = new Deadlines(keepAliveMs);
  }

  /** Number of calls that run. */
  get size(): number {
    return this.#calls.size;
  }

  /** Tracks a call, and the `POST` that waits for it, until it is released. */
  add(call: RunningCall): void {
    const { exchange } = call.scope;
    if (call.session !== undefined) {
      (call.session.calls ??= new InFlight()).set(call.request.id, call);
    }
    const number = (this.#count += 1);
    this.#calls.set(number, call);
    call.followed = {
      number,
      stopWatching: exchange.onDisconnect(() => call.cancel('The caller has disconnected')),
      deadline: this.#deadlines.set(() => {
        call.fail(timeoutError(this.#callTimeoutMs), 'The call timed out');
      }),
      // Proxies and clients close a connection that carries no byte for this long.
      waiting: this.#waits.set(() => exchange.keepAlive()),
    };
  }

  /** Stops tracking a call that is over or waits without a `POST`. */
  release(call: RunningCall): void {
    const { followed } = call;
    if (followed === undefined) return;
    call.followed = undefined;
    this.#calls.delete(followed.number);
    followed.stopWatching();
    this.#deadlines.cancel(followed.deadline);
    this.#waits.cancel(followed.waiting);
    const { session, request } = call;
    if (session?.calls?.get(request.id) === call) session.calls.delete(request.id);
  }

  /** Ends every running call with an error. */
  shutDown(): void {
    for (const call of this.#calls.values()) call.fail(SHUTTING_DOWN, SHUTTING_DOWN.message);
  }
}

const timeoutError = (timeoutMs: number): RpcError => ({
  code: RPC_CODE.timeout,
  message: `The request timed out after ${timeoutMs} ms`,
});
