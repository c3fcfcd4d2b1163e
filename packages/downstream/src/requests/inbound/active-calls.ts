import { type Caller, type ClientAnswer, RPC_CODE } from '@gateway/call-contract';
import type { Arrival, PossibleCall } from './addressee.ts';
import type { RunningRequest } from '../outgoing-requests.ts';

/** A call on a connection, by the id of its request. */
export interface ActiveCall extends PossibleCall {
  readonly id: number;
}

/** Where a message came, as the transport knows it. */
export interface MessagePlace {
  /** It came on the stream of one of the gateway's requests, which may have ended since. */
  readonly ownStream: boolean;
  readonly owner: RunningRequest | undefined;
  readonly running: () => Iterable<RunningRequest>;
}

/** The calls of one connection that its server may be at work on. */
export interface ActiveCalls {
  arrivalOf(place: MessagePlace): Arrival<ActiveCall>;
  /** A call that is still waited for, of the same caller. */
  findOther(caller: Caller, place: MessagePlace): ActiveCall | undefined;
  /** Nobody waits for this request any more, and the server has not answered it. */
  markAbandoned(request: RunningRequest): void;
  /** The server has answered a request that was given up. */
  markAnsweredLate(id: number): void;
}

/** Requests of callers; the gateway's own (lists, pings) are nobody's reason for a question. */
const CALLS: ReadonlySet<string> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);

/** A server that did not hear of a cancellation is taken to be at work this long, in milliseconds. */
const LINGER_MS = 60_000;
const MAX_LINGERING = 1_000;

const callOf = ({ id, request }: RunningRequest): ActiveCall => ({
  id,
  caller: request.options?.caller,
  isAbandoned: false,
});

/** Whose call it was, and nothing else of it: neither what was asked nor the way to ask. */
const withoutCall = ({ identity }: Caller): Caller => ({
  identity,
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

/** Stands for given-up calls that were too many to be kept. */
const ANYBODY: ActiveCall = { id: 0, caller: undefined, isAbandoned: true };

const isCall = ({ request }: RunningRequest): boolean => CALLS.has(request.method);

/**
 * No calls yet. A call that was given up counts until it is answered after all, or for a minute: a server that goes on working
 * may still ask, and the question must not reach the next caller.
 *
 * @param now the clock, in milliseconds
 */
export const createActiveCalls = (now: () => number): ActiveCalls => {
  const lingering = new Map<number, { readonly call: ActiveCall; readonly until: number }>();
  let crowdedUntil = Number.NEGATIVE_INFINITY;
  const prune = (): void => {
    const at = now();
    // They stand in the order in which they end.
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
