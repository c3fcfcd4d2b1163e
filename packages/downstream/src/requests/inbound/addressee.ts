import { RPC_CODE } from '@gateway/call-contract';
import type { Caller, ClientAnswer } from '@gateway/call-contract';
import type { IncomingContext } from '../intercepting-transport.ts';
import type { RunningRequest } from '../outgoing-requests.ts';

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

export interface AddresseeRefusal {
  readonly code: `server-request.${'no-call' | 'call-ended' | 'several-callers' | 'no-caller'}`;
}

/** The call that a message belongs to, or one of several calls of the same caller; otherwise the refusal. */
export type Addressee =
  | { readonly ok: true; readonly call: ActiveCall; readonly caller: Caller }
  | { readonly ok: false; readonly refusal: AddresseeRefusal };

const refuse = (code: AddresseeRefusal['code']) => ({ ok: false, refusal: { code } }) as const;

const answerable = (call: ActiveCall): Addressee => {
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

/**
 * Returns the call that a server message belongs to. On the stream of a request it is that call. On a shared channel it has no addressee
 * unless all calls that the server may be processing have the same caller, because a request must never reach another caller. Of several
 * calls of that caller the latest pending one is returned. Calls without a session have a caller each: there the abandoned calls must be
 * those of the client of the only pending one.
 */
export const findAddressee = (arrival: Arrival): Addressee => {
  if (arrival.kind === 'own-stream')
    return arrival.call === undefined
      ? refuse('server-request.call-ended')
      : answerable(arrival.call);
  let chosen: ActiveCall | undefined;
  for (const call of arrival.calls) {
    if (chosen !== undefined && !isSameCaller(chosen, call))
      return refuse('server-request.several-callers');
    if (chosen === undefined || !call.isAbandoned) chosen = call;
  }
  return chosen === undefined ? refuse('server-request.no-call') : answerable(chosen);
};

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

const toCall = ({ id, request }: RunningRequest): ActiveCall | undefined =>
  CALLS.has(request.method)
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

/**
 * The calls of one connection that its server may be processing. An abandoned call counts until the server answers it, or for a minute: the
 * server may still send a request for it, which must not reach the next caller.
 */
export class ActiveCalls {
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
