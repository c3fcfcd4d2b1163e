import type { Caller, ClientAnswer } from '@gateway/call-contract';
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client';
import type { IncomingHandler } from '../incoming-messages.ts';
import { isSevereEnough } from '../log-level.ts';
import type { ServerMessage } from '../server-request.ts';
import { ActiveCalls } from './addressee.ts';
import { ServerRequestRouter } from './server-request-router.ts';
import type { ServerRequestDependencies } from './server-request-router.ts';

/** The dependencies of the messages of one server. */
export interface ServerMessagesDependencies extends Omit<ServerRequestDependencies, 'onAsked'> {
  /** A subscribed resource changed; the parameters are unchanged. */
  readonly onResourceUpdated: (params: Readonly<Record<string, unknown>>) => void;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/** Maximum number of pending URL elicitations per connection. */
const MAX_PENDING_URLS = 256;

/** The callers of URL elicitations, whose completion the server may announce. */
class UrlElicitations {
  readonly #callers = new Map<string, Caller>();

  /** Remembers the caller of a request if that is a URL elicitation. */
  add({ params }: ServerMessage, caller: Caller): void {
    const { mode, elicitationId } = params;
    if (mode !== 'url' || typeof elicitationId !== 'string') return;
    this.#callers.delete(elicitationId);
    this.#callers.set(elicitationId, caller);
    for (const id of this.#callers.keys()) {
      if (this.#callers.size <= MAX_PENDING_URLS) return;
      this.#callers.delete(id);
    }
  }

  /** Forwards the completion of an elicitation to its caller. */
  complete(notification: ServerMessage): void {
    const { elicitationId } = notification.params;
    if (typeof elicitationId !== 'string') return;
    this.#callers.get(elicitationId)?.notify(notification);
    this.#callers.delete(elicitationId);
  }
}

/** Returns the parameters without the id of the gateway's own subscription. */
const withoutSubscription = (params: ServerMessage['params']): ServerMessage['params'] => {
  const { _meta: meta, ...rest } = params;
  if (typeof meta !== 'object' || meta === null) return params;
  const { [SUBSCRIPTION_ID_META_KEY]: _id, ...others } = meta as ServerMessage['params'];
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others };
};

const PONG: ClientAnswer = { ok: true, result: {} };

/** Returns the handler of server-initiated messages: it forwards requests and log messages to their callers. */
export const createServerMessages = (dependencies: ServerMessagesDependencies): IncomingHandler => {
  const calls = new ActiveCalls(dependencies.now);
  const elicitations = new UrlElicitations();
  const router = new ServerRequestRouter(calls, {
    ...dependencies,
    onAsked: (request, caller) => elicitations.add(request, caller),
  });
  return {
    onRequest: (message, context) =>
      message.method === 'ping' ? Promise.resolve(PONG) : router.ask(message, context),
    onNotification(message, context) {
      switch (message.method) {
        case 'notifications/cancelled':
          return router.withdraw(message.params['requestId']);
        case 'notifications/message': {
          const addressee = calls.findAddressee(context);
          if (addressee.ok && isSevereEnough(message.params['level'], addressee.caller.logLevel))
            addressee.caller.notify(message);
          return true;
        }
        case 'notifications/elicitation/complete':
          elicitations.complete(message);
          return true;
        case 'notifications/resources/updated':
          dependencies.onResourceUpdated(withoutSubscription(message.params));
          return true;
        default:
          return false;
      }
    },
    onRequestOver(request, how) {
      if (how === 'given-up') calls.markAbandoned(request);
      router.endCall(request.id);
    },
    onLateAnswer: (id) => calls.markAnsweredLate(id),
  };
};
