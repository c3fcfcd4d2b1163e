import { RPC_CODE } from '@gateway/call-contract';
import type { Caller, ClientAnswer } from '@gateway/call-contract';
import type { ServerRequestRefusal } from './server-request-router.ts';
import type { RunningRequest } from '../outgoing-requests.ts';

/** A call that may be the cause of a server message. */
export interface PossibleCall {
  readonly caller: Caller | undefined;
  /** The call has no result, but the server may still be processing it. */
  readonly isAbandoned: boolean;
}

/** The channel on which a message arrived. */
type Arrival<C extends PossibleCall> =
  /** The stream of one request of the gateway; `call` is `undefined` when that was not a call or has ended. */
  | { readonly kind: 'own-stream'; readonly call: C | undefined }
  /** The shared channel of a connection; `calls` are all calls that the server may be processing. */
  | { readonly kind: 'shared'; readonly calls: Iterable<C> };

/** The call that a message belongs to, or one of several calls of the same caller; otherwise the refusal. */
type Addressee<C extends PossibleCall> =
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

/** A call on a connection, identified by its request id. */
export interface ActiveCall extends PossibleCall {
  readonly id: number;
}

/** The origin of a message, as the transport knows it. */
export interface MessagePlace {
  /** The message arrived on the stream of one of the gateway's requests, which may have ended. */
  readonly ownStream: boolean;
  readonly owner: RunningRequest | undefined;
  readonly running: () => Iterable<RunningRequest>;
}

/** The calls of one connection that its server may be processing. */
export interface ActiveCalls {
  arrivalOf(place: MessagePlace): Arrival<ActiveCall>;
  /** Returns another pending call of the same caller. */
  findOther(caller: Caller, place: MessagePlace): ActiveCall | undefined;
  /** Marks a request that was abandoned before the server answered it. */
  markAbandoned(request: RunningRequest): void;
  /** Removes an abandoned request that the server has answered. */
  markAnsweredLate(id: number): void;
}

/** The requests of callers. Requests of the gateway itself (lists, pings) never cause a server request. */
const CALLS: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);

/** Time for which a server is assumed to process an abandoned request, in milliseconds. */
const LINGER_MS = 60_000;
const MAX_LINGERING = 1_000;

const callOf = ({ id, request }: RunningRequest): ActiveCall => ({
  id,
  caller: request.options?.caller,
  isAbandoned: false,
});

/** Returns only the names of the caller, so that nothing else of an abandoned call stays in memory. */
const withoutCall = ({ identity, client }: Caller): Caller => ({
  identity,
  client,
  capabilities: {},
  takesInputRequired: false,
  logLevel: undefined,
  ask: () => Promise.resolve(OVER),
  notify: () => undefined,
});

const OVER: ClientAnswer = {
  ok: false,
  error: { code: RPC_CODE.invalidRequest, message: 'the call has ended' },
};

/** Represents abandoned calls that exceeded the limit. */
const ANYBODY: ActiveCall = { id: 0, caller: undefined, isAbandoned: true };

const isCall = ({ request }: RunningRequest): boolean => CALLS.has(request.method);

/**
 * Returns an empty set of calls. An abandoned call counts until the server answers it, or for a minute: the server may still send a request
 * for it, which must not reach the next caller.
 *
 * @param now returns the time in milliseconds
 */
export const createActiveCalls = (now: () => number): ActiveCalls => {
  const lingering = new Map<number, { readonly call: ActiveCall; readonly until: number }>();
  let crowdedUntil = Number.NEGATIVE_INFINITY;
  const prune = (): void => {
    const at = now();
    // Entries are in the order of their expiry.
    for (const [id, { until }] of lingering) {
      if (until > at && lingering.size <= MAX_LINGERING) return;
      if (until > at) crowdedUntil = until;
      lingering.delete(id);
    }
  };
  function* all(place: MessagePlace): Iterable<ActiveCall> {
    prune();
    if (crowdedUntil > now()) yield ANYBODY;
    for (const { call } of lingering.values()) yield call;
    for (const request of place.running()) if (isCall(request)) yield callOf(request);
  }
  return {
    arrivalOf(place) {
      if (!place.ownStream) return { kind: 'shared', calls: all(place) };
      const { owner } = place;
      const call = owner !== undefined && isCall(owner) ? callOf(owner) : undefined;
      return { kind: 'own-stream', call };
    },
    findOther(caller, place) {
      for (const call of all(place))
        if (!call.isAbandoned && Object.is(call.caller?.identity, caller.identity)) return call;
      return undefined;
    },
    markAbandoned(request) {
      if (!isCall(request)) return;
      prune();
      const { id, caller } = callOf(request);
      const call = { id, caller: caller && withoutCall(caller), isAbandoned: true };
      lingering.set(id, { call, until: now() + LINGER_MS });
    },
    markAnsweredLate: (id) => void lingering.delete(id),
  };
};
