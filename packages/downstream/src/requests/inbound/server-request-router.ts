import type { Caller, ClientAnswer } from '@gateway/call-contract';
import { addresseeOf } from './addressee.ts';
import type { CallAtWork, CallsAtWork, MessagePlace } from './active-calls.ts';
import { isQuestion, missingCapability, questionForCaller } from '../server-request.ts';
import type { Question } from '../server-request.ts';
import { questionRefused } from './server-request-refusal.ts';
import type { QuestionRefusal } from './server-request-refusal.ts';

/** Questions that a server may have open on one connection. */
const MAX_OPEN = 64;

/** What the desk needs of its connection. */
export interface DeskWorld {
  readonly calls: CallsAtWork;
  /** A question is about to be put to a caller. */
  readonly onAsked: (question: Question, caller: Caller) => void;
  /** The server speaks 2026-07-28, where servers ask nothing by themselves. */
  readonly isModern: () => boolean;
  /** Sends a notification to the server. */
  readonly notify: (method: string, params: Readonly<Record<string, unknown>>) => void;
}

/** A request of the server, and where it came. */
export interface AskedAt extends MessagePlace {
  readonly requestId: string | number;
}

/** Puts the questions of one server to the callers that they belong to. */
export interface QuestionDesk {
  /** The answer for the server; `undefined` when it wants none any more. Never rejects. */
  ask(question: Question, at: AskedAt): Promise<ClientAnswer | undefined>;
  /** The server wants no answer any more. `false` when no such question is open. */
  withdraw(requestId: unknown): boolean;
  /** A request of the gateway is over, however it ended. */
  callEnded(id: number): void;
}

/** How waiting for a caller ended. */
type Waited =
  | { readonly kind: 'answered'; readonly answer: ClientAnswer }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'call-ended' };

interface OpenQuestion {
  readonly callId: number;
  readonly stop: (how: Exclude<Waited, { kind: 'answered' }>) => void;
}

type Send = DeskWorld['notify'];

const progressToken = ({ params }: Question): unknown => {
  const meta = params['_meta'];
  if (typeof meta !== 'object' || meta === null) return undefined;
  return (meta as { readonly progressToken?: unknown }).progressToken;
};

/** Asks the caller and waits until it answers, the server takes its question back, or the call ends. */
const wait = (
  question: Question,
  caller: Caller,
  keep: (open: OpenQuestion['stop']) => void,
  send: Send,
): Promise<Waited> =>
  new Promise((resolve) => {
    const controller = new AbortController();
    keep((how) => {
      resolve(how);
      controller.abort(new Error(how.kind === 'withdrawn' ? 'withdrawn' : 'the call has ended'));
    });
    const token = progressToken(question);
    const answered = (answer: ClientAnswer): void => resolve({ kind: 'answered', answer });
    caller
      .ask(questionForCaller(caller.capabilities, question), {
        signal: controller.signal,
        ...(token === undefined
          ? {}
          : {
              onProgress: (report) => {
                if (!controller.signal.aborted)
                  send('notifications/progress', { ...report, progressToken: token });
              },
            }),
      })
      .then(answered, () => answered(questionRefused({ code: 'question.no-answer' })));
  });

/** What the questions of one desk share. */
interface Desk {
  readonly world: DeskWorld;
  readonly open: Map<string | number, OpenQuestion>;
}

const askThrough = async (
  desk: Desk,
  question: Question,
  at: AskedAt,
  call: CallAtWork & { readonly caller: Caller },
): Promise<ClientAnswer | undefined> => {
  const { world, open } = desk;
  world.onAsked(question, call.caller);
  const keep = (stop: OpenQuestion['stop']): void => {
    open.set(at.requestId, { callId: call.id, stop });
  };
  const waited = await wait(question, call.caller, keep, world.notify);
  open.delete(at.requestId);
  if (waited.kind === 'answered') return waited.answer;
  if (waited.kind === 'withdrawn') return undefined;
  // On a shared channel the question may be that of another call of the same caller, which then is asked through that one.
  const other = at.ownStream ? undefined : world.calls.anotherOf(call.caller, at);
  if (other?.caller === undefined) return questionRefused({ code: 'question.call-ended' });
  return askThrough(desk, question, at, { ...other, caller: other.caller });
};

/** Why nobody is asked, whoever it would be. */
const refusalOf = ({ world, open }: Desk, { method }: Question): QuestionRefusal | undefined => {
  if (!isQuestion(method)) return { code: 'question.unknown-method', method };
  if (world.isModern()) return { code: 'question.not-in-this-revision', method };
  return open.size >= MAX_OPEN ? { code: 'question.too-many', bound: MAX_OPEN } : undefined;
};

/** A desk without open questions. */
export const createQuestionDesk = (world: DeskWorld): QuestionDesk => {
  const open = new Map<string | number, OpenQuestion>();
  const desk: Desk = { world, open };
  return {
    async ask(question, at) {
      const refusal = refusalOf(desk, question);
      if (refusal !== undefined) return questionRefused(refusal);
      // A second answer to one id would be taken for the first, so an id in use is left alone.
      if (open.has(at.requestId)) return undefined;
      const addressee = addresseeOf(world.calls.arrivalOf(at));
      if (!addressee.ok) return questionRefused(addressee.refusal);
      const { call, caller } = addressee;
      const needs = missingCapability(caller.capabilities, question);
      if (needs !== undefined) return questionRefused({ code: 'question.not-declared', needs });
      return askThrough(desk, question, at, { ...call, caller });
    },
    withdraw(requestId) {
      if (typeof requestId !== 'string' && typeof requestId !== 'number') return false;
      const question = open.get(requestId);
      question?.stop({ kind: 'withdrawn' });
      return question !== undefined;
    },
    callEnded(id) {
      if (open.size === 0) return;
      for (const question of [...open.values()])
        if (question.callId === id) question.stop({ kind: 'call-ended' });
    },
  };
};
