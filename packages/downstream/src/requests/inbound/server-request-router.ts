import type { Caller, ClientAnswer } from '@gateway/call-contract';
import { addresseeOf } from './addressee.ts';
import type { ActiveCall, ActiveCalls, MessagePlace } from './active-calls.ts';
import { isServerRequest, missingCapability, serverRequestForCaller } from '../server-request.ts';
import type { ServerRequest } from '../server-request.ts';
import { refuseServerRequest } from './server-request-refusal.ts';
import type { ServerRequestRefusal } from './server-request-refusal.ts';

/** Questions that a server may have open on one connection. */
const MAX_OPEN = 64;

/** What the state needs of its connection. */
export interface ServerRequestDependencies {
  readonly calls: ActiveCalls;
  /** A request is about to be put to a caller. */
  readonly onAsked: (request: ServerRequest, caller: Caller) => void;
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
export interface ServerRequestRouter {
  /** The answer for the server; `undefined` when it wants none any more. Never rejects. */
  ask(request: ServerRequest, at: AskedAt): Promise<ClientAnswer | undefined>;
  /** The server wants no answer any more. `false` when no such request is open. */
  withdraw(requestId: unknown): boolean;
  /** A request of the gateway is over, however it ended. */
  callEnded(id: number): void;
}

/** How waiting for a caller ended. */
type WaitResult =
  | { readonly kind: 'answered'; readonly answer: ClientAnswer }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'call-ended' };

interface OpenServerRequest {
  readonly callId: number;
  readonly stop: (how: Exclude<WaitResult, { kind: 'answered' }>) => void;
}

type Send = ServerRequestDependencies['notify'];

const progressToken = ({ params }: ServerRequest): unknown => {
  const meta = params['_meta'];
  if (typeof meta !== 'object' || meta === null) return undefined;
  return (meta as { readonly progressToken?: unknown }).progressToken;
};

/** Asks the caller and waits until it answers, the server takes its request back, or the call ends. */
const wait = (
  request: ServerRequest,
  caller: Caller,
  keep: (open: OpenServerRequest['stop']) => void,
  send: Send,
): Promise<WaitResult> =>
  new Promise((resolve) => {
    const controller = new AbortController();
    keep((how) => {
      resolve(how);
      controller.abort(new Error(how.kind === 'withdrawn' ? 'withdrawn' : 'the call has ended'));
    });
    const token = progressToken(request);
    const answered = (answer: ClientAnswer): void => resolve({ kind: 'answered', answer });
    caller
      .ask(serverRequestForCaller(caller.capabilities, request), {
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
      .then(answered, () => answered(refuseServerRequest({ code: 'server-request.no-answer' })));
  });

/** What the questions of one state share. */
interface RouterState {
  readonly dependencies: ServerRequestDependencies;
  readonly open: Map<string | number, OpenServerRequest>;
}

const askThrough = async (
  state: RouterState,
  request: ServerRequest,
  at: AskedAt,
  call: ActiveCall & { readonly caller: Caller },
): Promise<ClientAnswer | undefined> => {
  const { dependencies, open } = state;
  dependencies.onAsked(request, call.caller);
  const keep = (stop: OpenServerRequest['stop']): void => {
    open.set(at.requestId, { callId: call.id, stop });
  };
  const result = await wait(request, call.caller, keep, dependencies.notify);
  open.delete(at.requestId);
  if (result.kind === 'answered') return result.answer;
  if (result.kind === 'withdrawn') return undefined;
  // On a shared channel the request may be that of another call of the same caller, which then is asked through that one.
  const other = at.ownStream ? undefined : dependencies.calls.findOther(call.caller, at);
  if (other?.caller === undefined)
    return refuseServerRequest({ code: 'server-request.call-ended' });
  return askThrough(state, request, at, { ...other, caller: other.caller });
};

/** Why nobody is asked, whoever it would be. */
const refusalOf = (
  { dependencies, open }: RouterState,
  { method }: ServerRequest,
): ServerRequestRefusal | undefined => {
  if (!isServerRequest(method)) return { code: 'server-request.unknown-method', method };
  if (dependencies.isModern()) return { code: 'server-request.not-in-this-revision', method };
  return open.size >= MAX_OPEN ? { code: 'server-request.too-many', bound: MAX_OPEN } : undefined;
};

/** A state without open questions. */
export const createServerRequestRouter = (
  dependencies: ServerRequestDependencies,
): ServerRequestRouter => {
  const open = new Map<string | number, OpenServerRequest>();
  const state: RouterState = { dependencies, open };
  return {
    async ask(request, at) {
      const refusal = refusalOf(state, request);
      if (refusal !== undefined) return refuseServerRequest(refusal);
      // A second answer to one id would be taken for the first, so an id in use is left alone.
      if (open.has(at.requestId)) return undefined;
      const addressee = addresseeOf(dependencies.calls.arrivalOf(at));
      if (!addressee.ok) return refuseServerRequest(addressee.refusal);
      const { call, caller } = addressee;
      const needs = missingCapability(caller.capabilities, request);
      if (needs !== undefined)
        return refuseServerRequest({ code: 'server-request.not-declared', needs });
      return askThrough(state, request, at, { ...call, caller });
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
