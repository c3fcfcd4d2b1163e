import type { Caller } from '@gateway/call-contract';
import { addresseeOf } from './addressee.ts';
import type { CallsAtWork, MessagePlace } from './active-calls.ts';
import { isWanted } from '../log-level.ts';
import type { Question } from '../server-request.ts';

/** Pages that a server waits for people to open, on one connection. */
const MAX_PENDING_URLS = 256;

/** A notification of the server, as it came. */
type Notice = Question;

/** Passes the notifications of one server on to the callers that they belong to. */
export interface CallerNotices {
  /** A log message: to the caller it certainly belongs to, if that one wants its level. */
  log(notice: Notice, place: MessagePlace): void;
  /** A caller was asked to open a page, whose end the server may announce. */
  asked(question: Question, caller: Caller): void;
  /** The end of what was to be done on such a page. */
  pageDone(notice: Notice): void;
}

/** Nothing was passed on yet. */
export const createCallerNotices = (calls: CallsAtWork): CallerNotices => {
  const pages = new Map<string, Caller>();
  return {
    log(notice, place) {
      const addressee = addresseeOf(calls.arrivalOf(place));
      if (!addressee.ok) return;
      const { caller } = addressee;
      if (isWanted(notice.params['level'], caller.logLevel)) caller.notify(notice);
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
    pageDone(notice) {
      const { elicitationId } = notice.params;
      if (typeof elicitationId !== 'string') return;
      pages.get(elicitationId)?.notify(notice);
      pages.delete(elicitationId);
    },
  };
};
