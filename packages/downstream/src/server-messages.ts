import type { ClientAnswer } from './call.ts';
import { createCallerNotices } from './caller-notices.ts';
import { createCallsAtWork } from './calls-at-work.ts';
import type { IncomingHandler } from './incoming-messages.ts';
import { createQuestionDesk } from './question-desk.ts';
import type { DeskWorld } from './question-desk.ts';

/** What the messages of one server need of its connection. */
export interface ServerMessagesWorld extends Omit<DeskWorld, 'calls' | 'onAsked'> {
  /** A resource that is subscribed to has changed; the parameters as they came. */
  readonly onResourceUpdated: (params: Readonly<Record<string, unknown>>) => void;
  /** The clock, in milliseconds. */
  readonly now: () => number;
}

const PONG: ClientAnswer = { ok: true, result: {} };

/** Takes all that one server says by itself: questions go to the callers they belong to, as do log messages. */
export const createServerMessages = (world: ServerMessagesWorld): IncomingHandler => {
  const calls = createCallsAtWork(world.now);
  const notices = createCallerNotices(calls);
  const desk = createQuestionDesk({
    ...world,
    calls,
    onAsked: (question, caller) => notices.asked(question, caller),
  });
  return {
    onRequest: (message, context) =>
      message.method === 'ping' ? Promise.resolve(PONG) : desk.ask(message, context),
    onNotification(message, context) {
      switch (message.method) {
        case 'notifications/cancelled':
          return desk.withdraw(message.params['requestId']);
        case 'notifications/message':
          notices.log(message, context);
          return true;
        case 'notifications/elicitation/complete':
          notices.pageDone(message);
          return true;
        case 'notifications/resources/updated':
          world.onResourceUpdated(message.params);
          return true;
        default:
          return false;
      }
    },
    onRequestOver(request, how) {
      if (how === 'given-up') calls.gaveUp(request);
      desk.callEnded(request.id);
    },
    onLateAnswer: (id) => calls.answeredLate(id),
  };
};
