import type { Caller } from '@gateway/call-contract';
import { addresseeOf } from './addressee.ts';
import type { ActiveCalls, MessagePlace } from './active-calls.ts';
import { isWanted } from '../log-level.ts';
import type { ServerRequest } from '../server-request.ts';

/** Maximum number of pending URL elicitations per connection. */
const MAX_PENDING_URLS = 256;

/** A notification of the server, unchanged. */
type ServerNotification = ServerRequest;

/** Forwards the notifications of one server to the callers that they belong to. */
export interface CallerNotifications {
  /** Forwards a log message to its caller when the caller requested its level. */
  log(notification: ServerNotification, place: MessagePlace): void;
  /** Remembers the caller of a URL elicitation, whose completion the server may announce. */
  asked(request: ServerRequest, caller: Caller): void;
  /** Forwards the completion of a URL elicitation. */
  elicitationCompleted(notification: ServerNotification): void;
}

/** Returns the notifications of one connection. */
export const createCallerNotifications = (calls: ActiveCalls): CallerNotifications => {
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
