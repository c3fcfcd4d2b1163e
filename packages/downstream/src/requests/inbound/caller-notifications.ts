import type { Caller } from '@gateway/call-contract';
import { addresseeOf } from './addressee.ts';
import type { ActiveCalls, MessagePlace } from './active-calls.ts';
import { isWanted } from '../log-level.ts';
import type { ServerRequest } from '../server-request.ts';

/** Pages that a server waits for people to open, on one connection. */
const MAX_PENDING_URLS = 256;

/** A notification of the server, as it came. */
type ServerNotification = ServerRequest;

/** Passes the notifications of one server on to the callers that they belong to. */
export interface CallerNotifications {
  /** A log message: to the caller it certainly belongs to, if that one wants its level. */
  log(notification: ServerNotification, place: MessagePlace): void;
  /** A caller was asked to open a page, whose end the server may announce. */
  asked(request: ServerRequest, caller: Caller): void;
  /** The end of what was to be done on such a page. */
  elicitationCompleted(notification: ServerNotification): void;
}

/** Nothing was passed on yet. */
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
