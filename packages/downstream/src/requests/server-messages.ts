import { CALL_METHODS } from '@gateway/mcp-wire';
import {
  type Caller,
  type ClientAnswer,
  isJsonObject,
  type ProgressReport,
  readOwnField,
  RPC_CODE,
} from '@gateway/call-contract';
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client';
import type {
  IncomingContext,
  IncomingHandler,
  IncomingRequestContext,
} from './intercepting-transport.ts';
import type { RunningRequest } from './outgoing-requests.ts';
import { isSevereEnough } from './log-level.ts';
import {
  isServerRequest,
  findMissingCapability,
  type ServerMessage,
  toCallerRequest,
} from './input-rounds.ts';

export interface ActiveCall {
  readonly id: number;
  readonly caller: Caller | undefined;
  /** The call has no result, but the server may still be processing it. */
  readonly isAbandoned: boolean;
}

type Arrival =
  /** The stream of one request of the gateway; `call` is `undefined` when that was not a call or has ended. */
  | { readonly kind: 'own-stream'; readonly call: ActiveCall | undefined }
  /** The shared channel of a connection; `calls` are all calls that the server may be processing. */
  | { readonly kind: 'shared'; readonly calls: Iterable<ActiveCall> };

interface AddresseeRefusal {
  readonly code: `server-request.${'no-call' | 'call-ended' | 'several-callers' | 'no-caller'}`;
}

/** The call that a message belongs to, or one of several calls of the same caller; otherwise the refusal. */
type Addressee =
  | { readonly ok: true; readonly call: ActiveCall; readonly caller: Caller }
  | { readonly ok: false; readonly refusal: AddresseeRefusal };

const refuse = (code: AddresseeRefusal['code']) => ({ ok: false, refusal: { code } }) as const;

const toAddressee = (call: ActiveCall): Addressee => {
  if (call.isAbandoned) return refuse('server-request.call-ended');
  return call.caller === undefined
    ? refuse('server-request.no-caller')
    : { ok: true, call, caller: call.caller };
};

/** The name of the client is compared with that of an abandoned call only: two running calls may be those of two windows of one program. */
const isSameClient = (one: ActiveCall, other: ActiveCall): boolean => {
  const client = one.caller?.client;
  if (client === undefined || client !== other.caller?.client) return false;
  return one.isAbandoned || other.isAbandoned;
};

/** A call without a caller counts as a distinct caller. */
const isSameCaller = (one: ActiveCall, other: ActiveCall): boolean => {
  if (one.caller === undefined || other.caller === undefined) return false;
  return Object.is(one.caller.identity, other.caller.identity) || isSameClient(one, other);
};

/** Returns the call of a server message. On a shared channel all calls must have the same caller, because a request must never reach another caller. */
export const findAddressee = (arrival: Arrival): Addressee => {
  if (arrival.kind === 'own-stream')
    return arrival.call === undefined
      ? refuse('server-request.call-ended')
      : toAddressee(arrival.call);
  let chosen: ActiveCall | undefined;
  for (const call of arrival.calls) {
    if (chosen !== undefined && !isSameCaller(chosen, call))
      return refuse('server-request.several-callers');
    if (chosen === undefined || !call.isAbandoned) chosen = call;
  }
  return chosen === undefined ? refuse('server-request.no-call') : toAddressee(chosen);
};

/** Time for which a server is assumed to process an abandoned request, in milliseconds. */
const LINGER_MS = 60_000;
const MAX_LINGERING = 1_000;

const toCall = ({ id, request }: RunningRequest): ActiveCall | undefined =>
  // Requests of the gateway itself (lists, pings) never cause a server request.
  CALL_METHODS.has(request.method)
    ? { id, caller: request.options?.caller, isAbandoned: false }
    : undefined;

const CALL_ENDED: ClientAnswer = {
  ok: false,
  error: { code: RPC_CODE.invalidRequest, message: 'the call has ended' },
};

/** Returns only the names of the caller, so that nothing else of an abandoned call stays in memory. */
const withoutCall = ({ identity, client }: Caller): Caller => ({
  identity,
  client,
  capabilities: {},
  takesInputRequired: false,
  logLevel: undefined,
  ask: () => Promise.resolve(CALL_ENDED),
  notify: () => undefined,
});

/** Represents abandoned calls that exceeded the limit. */
const ANYBODY: ActiveCall = { id: 0, caller: undefined, isAbandoned: true };

/** An abandoned call counts until the server answers it, or for a minute: a request for it must not reach the next caller. */
class ActiveCalls {
  readonly #now: () => number;
  /** In the order of their expiry. */
  readonly #abandoned = new Map<number, { readonly call: ActiveCall; readonly until: number }>();
  #crowdedUntil = Number.NEGATIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  findAddressee(context: IncomingContext): Addressee {
    const { ownStream, owner } = context;
    return findAddressee(
      ownStream
        ? { kind: 'own-stream', call: owner && toCall(owner) }
        : { kind: 'shared', calls: this.#all(context) },
    );
  }

  /** Returns another pending call of the same caller. */
  findOther(caller: Caller, context: IncomingContext): ActiveCall | undefined {
    for (const call of this.#all(context))
      if (!call.isAbandoned && Object.is(call.caller?.identity, caller.identity)) return call;
    return undefined;
  }

  markAbandoned(request: RunningRequest): void {
    const call = toCall(request);
    if (call === undefined) return;
    this.#prune();
    const { id, caller } = call;
    const abandoned = { id, caller: caller && withoutCall(caller), isAbandoned: true };
    this.#abandoned.set(id, { call: abandoned, until: this.#now() + LINGER_MS });
  }

  markAnsweredLate(id: number): void {
    this.#abandoned.delete(id);
  }

  *#all({ running }: IncomingContext): Iterable<ActiveCall> {
    this.#prune();
    if (this.#crowdedUntil > this.#now()) yield ANYBODY;
    for (const { call } of this.#abandoned.values()) yield call;
    for (const request of running()) {
      const call = toCall(request);
      if (call !== undefined) yield call;
    }
  }

  #prune(): void {
    const now = this.#now();
    for (const [id, { until }] of this.#abandoned) {
      if (until > now && this.#abandoned.size <= MAX_LINGERING) return;
      if (until > now) this.#crowdedUntil = until;
      this.#abandoned.delete(id);
    }
  }
}

type ServerRequestRefusal =
  | AddresseeRefusal
  | { readonly code: 'server-request.unknown-method'; readonly method: string }
  | { readonly code: 'server-request.not-in-this-revision'; readonly method: string }
  | { readonly code: 'server-request.not-declared'; readonly needs: string }
  | { readonly code: 'server-request.too-many'; readonly bound: number }
  | { readonly code: 'server-request.no-answer' };

const toErrorParts = (refusal: ServerRequestRefusal): readonly [number, string] => {
  const { methodNotFound, invalidRequest, invalidParams, transport, internal } = RPC_CODE;
  switch (refusal.code) {
    case 'server-request.unknown-method':
      return [methodNotFound, `Method not found: ${refusal.method}`];
    case 'server-request.not-in-this-revision':
      return [
        methodNotFound,
        `Method not found: ${refusal.method} (a server of this revision asks with an input_required result)`,
      ];
    case 'server-request.no-call':
      return [invalidRequest, 'no running call can be the cause of this request'];
    case 'server-request.call-ended':
      return [invalidRequest, 'the call of this request has ended'];
    case 'server-request.several-callers':
      return [
        invalidRequest,
        'calls of several clients are running on this connection, so the client of this request is unknown',
      ];
    case 'server-request.no-caller':
      return [methodNotFound, 'the call has no client that can answer requests'];
    case 'server-request.not-declared':
      return [
        refusal.needs.includes('.') ? invalidParams : methodNotFound,
        `the client of the call does not declare the capability ${refusal.needs}`,
      ];
    case 'server-request.too-many':
      return [transport, `more than ${refusal.bound} requests are open on this connection`];
    case 'server-request.no-answer':
      return [internal, 'the client of the call did not answer'];
  }
};

export const refuseServerRequest = (refusal: ServerRequestRefusal): ClientAnswer => {
  const [code, message] = toErrorParts(refusal);
  return { ok: false, error: { code, message } };
};

/** Maximum number of open server requests per connection. */
const MAX_OPEN = 64;

interface ServerMessagesDependencies {
  /** Returns whether the server speaks 2026-07-28, where servers send no requests. */
  readonly isModern: () => boolean;
  readonly notify: (method: string, params: Readonly<Record<string, unknown>>) => void;
  /** Resolves when the server has answered a request that is sent now, within a bound: then the questions of a round were sent. Never rejects. */
  readonly roundTrip: () => Promise<void>;
  readonly onResourceUpdated: (params: Readonly<Record<string, unknown>>) => void;
  readonly now: () => number;
}

interface Question {
  readonly request: ServerMessage;
  readonly context: IncomingRequestContext;
  /** The answer to a question that the caller cannot be asked. */
  readonly refused: ClientAnswer | undefined;
}

interface AnswerableCall {
  readonly call: ActiveCall;
  readonly caller: Caller;
}

type Interruption = 'withdrawn' | 'call-ended';

interface OpenRequest {
  readonly callId: number;
  readonly stop: (why: Interruption) => void;
}

interface RoundQuestion {
  readonly signal: AbortSignal;
  /** Asks the question. `more`: the next question of the same round follows at once. */
  readonly ask: (more: boolean) => void;
  /** The question does not reach the caller. It is answered after the others were asked, because the answer may end the call. */
  readonly isRefused: boolean;
}

const askRound = (questions: readonly RoundQuestion[]): void => {
  const open = questions.filter(({ signal }) => !signal.aborted);
  const asked = open.filter(({ isRefused }) => !isRefused);
  for (const [at, { ask }] of asked.entries()) ask(at < asked.length - 1);
  for (const { ask, isRefused } of open) if (isRefused) ask(false);
};

const readProgressToken = ({ params }: ServerMessage): unknown =>
  readOwnField(params['_meta'], 'progressToken');

const MAX_PENDING_URLS = 256;

/** The callers of URL elicitations, whose completion the server may announce. */
class UrlElicitations {
  readonly #callers = new Map<string, Caller>();

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
  if (!isJsonObject(meta)) return params;
  const { [SUBSCRIPTION_ID_META_KEY]: _id, ...others } = meta;
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others };
};

const PONG: ClientAnswer = { ok: true, result: {} };

export class ServerMessages implements IncomingHandler {
  readonly #calls: ActiveCalls;
  readonly #dependencies: ServerMessagesDependencies;
  readonly #elicitations = new UrlElicitations();
  readonly #open = new Map<string | number, OpenRequest>();
  /** The questions that the server asks at the same time, by the id of their call. */
  readonly #rounds = new Map<number, RoundQuestion[]>();

  constructor(dependencies: ServerMessagesDependencies) {
    this.#calls = new ActiveCalls(dependencies.now);
    this.#dependencies = dependencies;
  }

  async onRequest(
    request: ServerMessage,
    context: IncomingRequestContext,
  ): Promise<ClientAnswer | undefined> {
    if (request.method === 'ping') return PONG;
    const refusal = this.#findRefusal(request);
    if (refusal !== undefined) return refuseServerRequest(refusal);
    // A second answer to one id would be taken for the first, so an id in use is ignored.
    if (this.#open.has(context.requestId)) return undefined;
    const addressee = this.#calls.findAddressee(context);
    if (!addressee.ok) return refuseServerRequest(addressee.refusal);
    const needs = findMissingCapability(addressee.caller.capabilities, request);
    const refused =
      needs === undefined
        ? undefined
        : refuseServerRequest({ code: 'server-request.not-declared', needs });
    return this.#askThrough({ request, context, refused }, addressee);
  }

  onNotification(message: ServerMessage, context: IncomingContext): boolean {
    switch (message.method) {
      case 'notifications/cancelled':
        return this.#withdraw(message.params['requestId']);
      case 'notifications/message': {
        const addressee = this.#calls.findAddressee(context);
        if (addressee.ok && isSevereEnough(message.params['level'], addressee.caller.logLevel))
          addressee.caller.notify(message);
        return true;
      }
      case 'notifications/elicitation/complete':
        this.#elicitations.complete(message);
        return true;
      case 'notifications/resources/updated':
        this.#dependencies.onResourceUpdated(withoutSubscription(message.params));
        return true;
      default:
        return false;
    }
  }

  onRequestOver(ended: RunningRequest, how: 'settled' | 'given-up'): void {
    if (how === 'given-up') this.#calls.markAbandoned(ended);
    if (this.#open.size === 0) return;
    for (const request of [...this.#open.values()])
      if (request.callId === ended.id) request.stop('call-ended');
  }

  onLateAnswer(id: number): void {
    this.#calls.markAnsweredLate(id);
  }

  /** Cancels a request on behalf of the server. Returns `false` when no such request is open. */
  #withdraw(requestId: unknown): boolean {
    const request = this.#open.get(requestId as string | number);
    request?.stop('withdrawn');
    return request !== undefined;
  }

  #findRefusal({ method }: ServerMessage): ServerRequestRefusal | undefined {
    if (!isServerRequest(method)) return { code: 'server-request.unknown-method', method };
    if (this.#dependencies.isModern())
      return { code: 'server-request.not-in-this-revision', method };
    return this.#open.size >= MAX_OPEN
      ? { code: 'server-request.too-many', bound: MAX_OPEN }
      : undefined;
  }

  async #askThrough(question: Question, to: AnswerableCall): Promise<ClientAnswer | undefined> {
    const { request, context, refused } = question;
    if (refused === undefined) this.#elicitations.add(request, to.caller);
    const result = await this.#wait(question, to);
    this.#open.delete(context.requestId);
    if (result === 'withdrawn') return undefined;
    if (result !== 'call-ended') return result;
    // On a shared channel the request may belong to another call of the same caller; it is forwarded through that call.
    const other = context.ownStream ? undefined : this.#calls.findOther(to.caller, context);
    return other?.caller === undefined
      ? refuseServerRequest({ code: 'server-request.call-ended' })
      : this.#askThrough(question, { call: other, caller: other.caller });
  }

  #wait(
    { request, context, refused }: Question,
    { call, caller }: AnswerableCall,
  ): Promise<ClientAnswer | Interruption> {
    return new Promise((resolve) => {
      const controller = new AbortController();
      const { signal } = controller;
      const stop = (why: Interruption): void => {
        resolve(why);
        controller.abort(new Error(why === 'withdrawn' ? 'withdrawn' : 'the call has ended'));
      };
      this.#open.set(context.requestId, { callId: call.id, stop });
      const token = readProgressToken(request);
      const onProgress = (report: ProgressReport): void => {
        if (signal.aborted) return;
        this.#dependencies.notify('notifications/progress', { ...report, progressToken: token });
      };
      const ask = (more: boolean): void => {
        if (refused !== undefined) {
          resolve(refused);
          return;
        }
        const options = {
          signal,
          ...(token !== undefined && { onProgress }),
          ...(more && { more }),
        };
        caller
          .ask(toCallerRequest(caller.capabilities, request), options)
          .then(resolve, () => resolve(refuseServerRequest({ code: 'server-request.no-answer' })));
      };
      const question = { signal, ask, isRefused: refused !== undefined };
      // A caller that takes `input_required` receives the questions of a round in one result.
      if (caller.takesInputRequired) this.#addToRound(call.id, question);
      else ask(false);
    });
  }

  #addToRound(callId: number, question: RoundQuestion): void {
    const round = this.#rounds.get(callId);
    if (round !== undefined) {
      round.push(question);
      return;
    }
    const questions = [question];
    this.#rounds.set(callId, questions);
    void this.#dependencies.roundTrip().then(() => {
      this.#rounds.delete(callId);
      askRound(questions);
    });
  }
}
