import type { Caller } from '@gateway/call-contract';
import type { ServerRequestRefusal } from './server-request-refusal.ts';

/** A call that may be the cause of a server message. */
export interface PossibleCall {
  readonly caller: Caller | undefined;
  /** The call has no result, but the server may still be processing it. */
  readonly isAbandoned: boolean;
}

/** The channel on which a message arrived. */
export type Arrival<C extends PossibleCall> =
  /** The stream of one request of the gateway; `call` is `undefined` when that was not a call or has ended. */
  | { readonly kind: 'own-stream'; readonly call: C | undefined }
  /** The shared channel of a connection; `calls` are all calls that the server may be processing. */
  | { readonly kind: 'shared'; readonly calls: Iterable<C> };

/** The call that a message belongs to, or one of several calls of the same caller; otherwise the refusal. */
export type Addressee<C extends PossibleCall> =
  | { readonly ok: true; readonly call: C; readonly caller: Caller }
  | { readonly ok: false; readonly refusal: ServerRequestRefusal };

const refuse = (code: 'no-call' | 'call-ended' | 'several-callers' | 'no-caller') =>
  ({ ok: false, refusal: { code: `server-request.${code}` } }) as const;

const answerable = <C extends PossibleCall>(call: C): Addressee<C> => {
  if (call.isAbandoned) return refuse('call-ended');
  return call.caller === undefined ? refuse('no-caller') : { ok: true, call, caller: call.caller };
};

/** The name of the client is compared with that of an abandoned call only: two running calls may be those of two windows of one program. */
const sameClient = (one: PossibleCall, other: PossibleCall): boolean => {
  const client = one.caller?.client;
  if (client === undefined || client !== other.caller?.client) return false;
  return one.isAbandoned || other.isAbandoned;
};

/** A call without a caller counts as a distinct caller. */
const sameCaller = (one: PossibleCall, other: PossibleCall): boolean => {
  if (one.caller === undefined || other.caller === undefined) return false;
  return Object.is(one.caller.identity, other.caller.identity) || sameClient(one, other);
};

/**
 * Returns the call that a server message belongs to. On the stream of a request it is that call. On a shared channel it has no addressee
 * unless all calls that the server may be processing have the same caller, because a request must never reach another caller. Of several
 * calls of that caller the latest pending one is returned. Calls without a session have a caller each: there the abandoned calls must be
 * those of the client of the only pending one.
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
