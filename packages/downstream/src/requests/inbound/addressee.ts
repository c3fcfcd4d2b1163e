import type { Caller } from '@gateway/call-contract';
import type { ServerRequestRefusal } from './server-request-refusal.ts';

/** A call on a connection, as far as it may be the reason for a message of the server. */
export interface PossibleCall {
  readonly caller: Caller | undefined;
  /** Nobody waits for its answer any more, but the server may still be at work on it. */
  readonly isAbandoned: boolean;
}

/** Where a message came. */
export type Arrival<C extends PossibleCall> =
  /** On the stream of one request of the gateway's; `call` is `undefined` when that was no call or is answered. */
  | { readonly kind: 'own-stream'; readonly call: C | undefined }
  /** Where all messages of a connection come; `calls` is whatever the server may be at work on. */
  | { readonly kind: 'shared'; readonly calls: Iterable<C> };

/** The call that a message certainly belongs to, or one of several of the same caller; or why there is none. */
export type Addressee<C extends PossibleCall> =
  | { readonly ok: true; readonly call: C; readonly caller: Caller }
  | { readonly ok: false; readonly refusal: ServerRequestRefusal };

const refuse = (code: 'no-call' | 'call-ended' | 'several-callers' | 'nobody') =>
  ({ ok: false, refusal: { code: `server-request.${code}` } }) as const;

const answerable = <C extends PossibleCall>(call: C): Addressee<C> => {
  if (call.isAbandoned) return refuse('call-ended');
  return call.caller === undefined ? refuse('nobody') : { ok: true, call, caller: call.caller };
};

/** Calls without a caller are each of their own. */
const sameCaller = (one: PossibleCall, other: PossibleCall): boolean =>
  one.caller !== undefined &&
  other.caller !== undefined &&
  Object.is(one.caller.identity, other.caller.identity);

/**
 * Decides whose a message of a server is. On a stream of its own it is the call's; where messages of all calls come, it is nobody's unless
 * every call that the server may be at work on has the same caller: a question of one caller must not reach another. Of several calls of that
 * caller the latest still waited for is taken.
 */
export const addresseeOf = <C extends PossibleCall>(arrival: Arrival<C>): Addressee<C> => {
  if (arrival.kind === 'own-stream')
    return arrival.call === undefined ? refuse('call-ended') : answerable(arrival.call);
  let chosen: C | undefined;
  for (const call of arrival.calls) {
    if (chosen !== undefined && !sameCaller(chosen, call)) return refuse('several-callers');
    if (chosen === undefined || !call.isAbandoned) chosen = call;
  }
  return chosen === undefined ? refuse('no-call') : answerable(chosen);
};
