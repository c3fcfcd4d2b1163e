import type { ClientAnswer } from '@gateway/call-contract';
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client';
import { createCallerNotifications } from './caller-notifications.ts';
import { createActiveCalls } from './active-calls.ts';
import type { IncomingHandler, ServerMessage } from '../incoming-messages.ts';
import { createServerRequestRouter } from './server-request-router.ts';
import type { ServerRequestDependencies } from './server-request-router.ts';

/** The dependencies of the messages of one server. */
export interface ServerMessagesDependencies extends Omit<
  ServerRequestDependencies,
  'calls' | 'onAsked'
> {
  /** A subscribed resource changed; the parameters are unchanged. */
  readonly onResourceUpdated: (params: Readonly<Record<string, unknown>>) => void;
  /** Returns the time in milliseconds. */
  readonly now: () => number;
}

/** Returns the parameters without the id of the gateway's own subscription. */
const withoutSubscription = (params: ServerMessage['params']): ServerMessage['params'] => {
  const { _meta: meta, ...rest } = params;
  if (typeof meta !== 'object' || meta === null) return params;
  const { [SUBSCRIPTION_ID_META_KEY]: _id, ...kept } = meta as ServerMessage['params'];
  return Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept };
};

const PONG: ClientAnswer = { ok: true, result: {} };

/** Returns the handler of server-initiated messages: it forwards requests and log messages to their callers. */
export const createServerMessages = (dependencies: ServerMessagesDependencies): IncomingHandler => {
  const calls = createActiveCalls(dependencies.now);
  const notifications = createCallerNotifications(calls);
  const router = createServerRequestRouter({
    ...dependencies,
    calls,
    onAsked: (request, caller) => notifications.asked(request, caller),
  });
  return {
    onRequest: (message, context) =>
      message.method === 'ping' ? Promise.resolve(PONG) : router.ask(message, context),
    onNotification(message, context) {
      switch (message.method) {
        case 'notifications/cancelled':
          return router.withdraw(message.params['requestId']);
        case 'notifications/message':
          notifications.log(message, context);
          return true;
        case 'notifications/elicitation/complete':
          notifications.elicitationCompleted(message);
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
      router.callEnded(request.id);
    },
    onLateAnswer: (id) => calls.markAnsweredLate(id),
  };
};
