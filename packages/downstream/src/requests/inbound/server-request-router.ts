import { RPC_CODE } from '@gateway/call-contract';
import type { Caller, ClientAnswer, ProgressReport } from '@gateway/call-contract';
import { addresseeOf } from './addressee.ts';
import type { ActiveCall, ActiveCalls, MessagePlace } from './addressee.ts';
import { isServerRequest, missingCapability, serverRequestForCaller } from '../server-request.ts';
import type { ServerRequest } from '../server-request.ts';

/** The reason why a server request is refused. */
export type ServerRequestRefusal =
  | { readonly code: 'server-request.unknown-method'; readonly method: string }
  | { readonly code: 'server-request.not-in-this-revision'; readonly method: string }
  | { readonly code: 'server-request.no-call' }
  | { readonly code: 'server-request.call-ended' }
  | { readonly code: 'server-request.several-callers' }
  | { readonly code: 'server-request.no-caller' }
  | { readonly code: 'server-request.not-declared'; readonly needs: string }
  | { readonly code: 'server-request.too-many'; readonly bound: number }
  | { readonly code: 'server-request.no-answer' };

type RefusalOf<C extends ServerRequestRefusal['code']> = Extract<ServerRequestRefusal, { code: C }>;

const texts: {
  readonly [C in ServerRequestRefusal['code']]: (
    refusal: RefusalOf<C>,
  ) => readonly [number, string];
} = {
  'server-request.unknown-method': ({ method }) => [
    RPC_CODE.methodNotFound,
    `Method not found: ${method}`,
  ],
  'server-request.not-in-this-revision': ({ method }) => [
    RPC_CODE.methodNotFound,
    `Method not found: ${method} (a server of this revision asks with an input_required result)`,
  ],
  'server-request.no-call': () => [
    RPC_CODE.invalidRequest,
    'no running call can be the cause of this request',
  ],
  'server-request.call-ended': () => [
    RPC_CODE.invalidRequest,
    'the call of this request has ended',
  ],
  'server-request.several-callers': () => [
    RPC_CODE.invalidRequest,
    'calls of several clients are running on this connection, so the client of this request is unknown',
  ],
  'server-request.no-caller': () => [
    RPC_CODE.methodNotFound,
    'the call has no client that can answer requests',
  ],
  'server-request.not-declared': ({ needs }) => [
    needs.includes('.') ? RPC_CODE.invalidParams : RPC_CODE.methodNotFound,
    `the client of the call does not declare the capability ${needs}`,
  ],
  'server-request.too-many': ({ bound }) => [
    RPC_CODE.transport,
    `more than ${bound} requests are open on this connection`,
  ],
  'server-request.no-answer': () => [RPC_CODE.internal, 'the client of the call did not answer'],
};

const textOf = <C extends ServerRequestRefusal['code']>(
  code: C,
  refusal: RefusalOf<C>,
): readonly [number, string] => texts[code](refusal);

/** Returns the JSON-RPC error of a refusal. */
export const refuseServerRequest = (refusal: ServerRequestRefusal): ClientAnswer => {
  const [code, message] = textOf(refusal.code, refusal);
  return { ok: false, error: { code, message } };
};

/** Asks one question. `more`: the next question of the same round follows at once. */
type AskInRound = (more: boolean) => void;

/** A question that may be withdrawn before its round is complete. */
interface RoundQuestion {
  readonly signal: AbortSignal;
  readonly ask: AskInRound;
  /** The question does not reach the caller. It is answered after the others were asked, because the answer may end the call. */
  readonly isRefused: boolean;
}

/** Collects the questions that a server asks at the same time for one call. */
interface QuestionRounds {
  /** Asks a question together with the others of its round, unless its signal is aborted before. */
  add(callId: number, question: RoundQuestion): void;
}

const askAll = (questions: readonly RoundQuestion[]): void => {
  const open = questions.filter(({ signal }) => !signal.aborted);
  const asked = open.filter(({ isRefused }) => !isRefused);
  for (const [at, { ask }] of asked.entries()) ask(at < asked.length - 1);
  for (const { ask, isRefused } of open) if (isRefused) ask(false);
};

/**
 * Returns an empty collection. Servers of the 2025 revisions send one message per question and no message after the last one, and each
 * message may arrive separately.
 *
 * @param roundTrip sends a request to the server and resolves when the server has answered it: it has sent the questions of the
 *   round before. Must not reject, and must end within a bound.
 */
const createQuestionRounds = (roundTrip: () => Promise<void>): QuestionRounds => {
  const open = new Map<number, RoundQuestion[]>();
  return {
    add(callId, question) {
      const round = open.get(callId);
      if (round !== undefined) {
        round.push(question);
        return;
      }
      const questions = [question];
      open.set(callId, questions);
      void roundTrip().then(() => {
        open.delete(callId);
        askAll(questions);
      });
    },
  };
};

/** Maximum number of open server requests per connection. */
const MAX_OPEN = 64;

/** The dependencies of the router. */
export interface ServerRequestDependencies {
  readonly calls: ActiveCalls;
  /** Called before a request is forwarded to a caller. */
  readonly onAsked: (request: ServerRequest, caller: Caller) => void;
  /** Returns whether the server speaks 2026-07-28, where servers send no requests. */
  readonly isModern: () => boolean;
  /** Sends a notification to the server. */
  readonly notify: (method: string, params: Readonly<Record<string, unknown>>) => void;
  /** Resolves when the server has answered a request that was sent now, or after a bounded time; never rejects. */
  readonly roundTrip: () => Promise<void>;
}

/** A request of the server with its origin. */
interface AskedAt extends MessagePlace {
  readonly requestId: string | number;
}

/** Routes the requests of one server to their callers. */
interface ServerRequestRouter {
  /** Resolves with the answer for the server; `undefined` when the server cancelled its request. Never rejects. */
  ask(request: ServerRequest, at: AskedAt): Promise<ClientAnswer | undefined>;
  /** Cancels a request on behalf of the server. Returns `false` when no such request is open. */
  withdraw(requestId: unknown): boolean;
  /** Ends the requests that belong to an ended call. */
  callEnded(id: number): void;
}

type AnswerableCall = ActiveCall & { readonly caller: Caller };

/** The result of waiting for a caller. */
type WaitResult =
  | { readonly kind: 'answered'; readonly answer: ClientAnswer }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'call-ended' };

interface OpenServerRequest {
  readonly callId: number;
  readonly stop: (how: Exclude<WaitResult, { kind: 'answered' }>) => void;
}

/** A request of the server for a caller. */
interface Question {
  readonly request: ServerRequest;
  readonly at: AskedAt;
  /** The answer to a question that the caller cannot be asked. */
  readonly refused: ClientAnswer | undefined;
}

interface Sending {
  readonly notify: ServerRequestDependencies['notify'];
  /** Present for a caller that receives the questions of a round in one result. */
  readonly rounds: QuestionRounds | undefined;
}

const progressToken = ({ params }: ServerRequest): unknown => {
  const meta = params['_meta'];
  if (typeof meta !== 'object' || meta === null) return undefined;
  return (meta as { readonly progressToken?: unknown }).progressToken;
};

/** Forwards the request and waits until the caller answers, the server cancels, or the call ends. */
const wait = (
  { request, refused }: Question,
  call: AnswerableCall,
  keep: (open: OpenServerRequest['stop']) => void,
  { notify, rounds }: Sending,
): Promise<WaitResult> =>
  new Promise((resolve) => {
    const { caller } = call;
    const controller = new AbortController();
    const { signal } = controller;
    keep((how) => {
      resolve(how);
      controller.abort(new Error(how.kind === 'withdrawn' ? 'withdrawn' : 'the call has ended'));
    });
    const token = progressToken(request);
    const answered = (answer: ClientAnswer): void => resolve({ kind: 'answered', answer });
    const onProgress = (report: ProgressReport): void => {
      if (!signal.aborted) notify('notifications/progress', { ...report, progressToken: token });
    };
    const ask: AskInRound = (more) =>
      void caller
        .ask(serverRequestForCaller(caller.capabilities, request), {
          signal,
          ...(token !== undefined && { onProgress }),
          ...(more && { more }),
        })
        .then(answered, () => answered(refuseServerRequest({ code: 'server-request.no-answer' })));
    const question =
      refused === undefined
        ? { signal, ask, isRefused: false }
        : { signal, ask: () => answered(refused), isRefused: true };
    if (rounds === undefined) question.ask(false);
    else rounds.add(call.id, question);
  });

/** The state of one router. */
interface RouterState {
  readonly dependencies: ServerRequestDependencies;
  readonly open: Map<string | number, OpenServerRequest>;
  readonly rounds: QuestionRounds;
}

const askThrough = async (
  state: RouterState,
  question: Question,
  call: AnswerableCall,
): Promise<ClientAnswer | undefined> => {
  const { dependencies, open } = state;
  const { request, at, refused } = question;
  const rounds = call.caller.takesInputRequired ? state.rounds : undefined;
  if (refused === undefined) dependencies.onAsked(request, call.caller);
  const keep = (stop: OpenServerRequest['stop']): void => {
    open.set(at.requestId, { callId: call.id, stop });
  };
  const result = await wait(question, call, keep, { notify: dependencies.notify, rounds });
  open.delete(at.requestId);
  if (result.kind === 'answered') return result.answer;
  if (result.kind === 'withdrawn') return undefined;
  // On a shared channel the request may belong to another call of the same caller; it is forwarded through that call.
  const other = at.ownStream ? undefined : dependencies.calls.findOther(call.caller, at);
  if (other?.caller === undefined)
    return refuseServerRequest({ code: 'server-request.call-ended' });
  return askThrough(state, question, { ...other, caller: other.caller });
};

/** Returns the refusal that applies to any caller. */
const refusalOf = (
  { dependencies, open }: RouterState,
  { method }: ServerRequest,
): ServerRequestRefusal | undefined => {
  if (!isServerRequest(method)) return { code: 'server-request.unknown-method', method };
  if (dependencies.isModern()) return { code: 'server-request.not-in-this-revision', method };
  return open.size >= MAX_OPEN ? { code: 'server-request.too-many', bound: MAX_OPEN } : undefined;
};

/** Returns a router without open requests. */
export const createServerRequestRouter = (
  dependencies: ServerRequestDependencies,
): ServerRequestRouter => {
  const open = new Map<string | number, OpenServerRequest>();
  const rounds = createQuestionRounds(dependencies.roundTrip);
  const state: RouterState = { dependencies, open, rounds };
  return {
    async ask(request, at) {
      const refusal = refusalOf(state, request);
      if (refusal !== undefined) return refuseServerRequest(refusal);
      // A second answer to one id would be taken for the first, so an id in use is ignored.
      if (open.has(at.requestId)) return undefined;
      const addressee = addresseeOf(dependencies.calls.arrivalOf(at));
      if (!addressee.ok) return refuseServerRequest(addressee.refusal);
      const { call, caller } = addressee;
      const needs = missingCapability(caller.capabilities, request);
      const refused =
        needs === undefined
          ? undefined
          : refuseServerRequest({ code: 'server-request.not-declared', needs });
      return askThrough(state, { request, at, refused }, { ...call, caller });
    },
    withdraw(requestId) {
      if (typeof requestId !== 'string' && typeof requestId !== 'number') return false;
      const request = open.get(requestId);
      request?.stop({ kind: 'withdrawn' });
      return request !== undefined;
    },
    callEnded(id) {
      if (open.size === 0) return;
      for (const request of [...open.values()])
        if (request.callId === id) request.stop({ kind: 'call-ended' });
    },
  };
};
