import type { JSONRPCNotification } from '@modelcontextprotocol/server';
import type { ActiveCall } from './active-call.ts';
import type { HttpExchange } from './http-exchange.ts';
import { isJsonObject, type RpcId } from './json-rpc.ts';
import type { Session } from './session-store.ts';

/** Where a call can be reached by those who may cancel it. */
export interface CallPlace {
  readonly exchange: HttpExchange;
  readonly session: Session | undefined;
  readonly id: RpcId;
}

/** Knows the running calls, so that a disconnect, a cancellation or a shutdown reaches them. */
export class CallTracker {
  readonly #calls = new Set<ActiveCall>();

  /** Follows a call until the returned function is called. */
  track({ exchange, session, id }: CallPlace, call: ActiveCall): () => void {
    const onClose = (): void => call.cancel('The caller has disconnected');
    const connection = connectionOf(exchange);
    this.#calls.add(call);
    session?.calls.set(id, call);
    connection.once('close', onClose);
    return () => {
      this.#calls.delete(call);
      if (session?.calls.get(id) === call) session.calls.delete(id);
      connection.off('close', onClose);
    };
  }

  /** Ends every running call with an error. */
  shutDown(): void {
    for (const call of this.#calls) call.shutDown();
  }
}

/** What emits `close` when the caller goes: a pipelined response has no socket of its own before its turn. */
const connectionOf = ({
  request,
  response,
}: HttpExchange): Pick<NodeJS.EventEmitter, 'off' | 'once'> =>
  response.socket === null ? request.socket.setMaxListeners(0) : response;

/** Cancels the call that a `notifications/cancelled` of its session names; anything else is none of its business. */
export const cancelNamedCall = (
  session: Session | undefined,
  { method, params }: JSONRPCNotification,
): void => {
  if (method !== 'notifications/cancelled' || !isJsonObject(params)) return;
  const id = params['requestId'];
  if (typeof id !== 'string' && typeof id !== 'number') return;
  session?.calls.get(id)?.cancel(cancellationReason(params['reason']));
};

const MAX_REASON_CHARS = 200;

const cancellationReason = (reason: unknown): string =>
  typeof reason === 'string' && reason !== ''
    ? reason.slice(0, MAX_REASON_CHARS)
    : 'The caller has cancelled';
