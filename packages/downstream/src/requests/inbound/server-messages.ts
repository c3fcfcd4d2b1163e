import type { Caller, ClientAnswer } from '@gateway/call-contract';
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client';
import { addresseeOf, createActiveCalls } from './addressee.ts';
import type { ActiveCalls, MessagePlace } from './addressee.ts';
import { isWanted } from '../log-level.ts';
import type { ServerRequest } from '../server-request.ts';
import type { IncomingHandler, ServerMessage } from '../incoming-messages.ts';
import { createServerRequestRouter } from './server-request-router.ts';
import type { ServerRequestDependencies } from './server-request-router.ts';

/** Maximum number of pending URL elicitations per connection. */
const MAX_PENDING_URLS = 256;

/** A notification of the server, unchanged. */
type ServerNotification = ServerRequest;

/** Forwards the notifications of one server to the callers that they belong to. */
interface CallerNotifications {
  /** Forwards a log message to its caller when the caller requested its level. */
  log(notification: ServerNotification, place: MessagePlace): void;
  /** Remembers the caller of a URL elicitation, whose completion the server may announce. */
  asked(request: ServerRequest, caller: Caller): void;
  /** Forwards the completion of a URL elicitation. */
  elicitationCompleted(notification: ServerNotification): void;
}

/** Returns the notifications of one connection. */
const createCallerNotifications = (calls: ActiveCalls): CallerNotifications => {
  const pages = new Map<string, Caller>();
  return {
    log(notification, place) {
      const addressee = addresseeOf(calls.arrivalOf(place));
      if (!addressee.ok) return;
      const { caller } = addressee;
      if (isWanted(notification.params['level'], caller.logLevel)) caller.notify(notification);
    },
    asked({ params }, caller) {
      const { mode, elicitationId } = params;
      if (mode !== 'url' || typeof elicitationId !== 'string') return;
      pages.delete(elicitationId);
      pages.set(elicitationId, caller);
      for (const id of pages.keys()) {
        if (pages.size <= MAX_PENDING_URLS) return;
        pages.delete(id);
      }
    },
    elicitationCompleted(notification) {
      const { elicitationId } = notification.params;
      if (typeof elicitationId !== 'string') return;
      pages.get(elicitationId)?.notify(notification);
      pages.delete(elicitationId);
    },
  };
};

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
