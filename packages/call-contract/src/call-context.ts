import type { Caller, ProgressReport } from './caller.ts';
import type { JsonObject } from './json.ts';

/** The trace that a call belongs to. @spec W3C Trace Context §3 */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Longest trace state that is passed on, in characters. @spec W3C Trace Context §3.3.1.5 */
const MAX_TRACESTATE = 512;

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** Returns the trace context of two header values; `undefined` when `traceparent` is malformed. A trace state that is too long is omitted. */
export const parseTraceContext = (
  traceparent: unknown,
  tracestate: unknown,
): TraceContext | undefined => {
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return undefined;
  const hasState = typeof tracestate === 'string' && tracestate !== '';
  return hasState && tracestate.length <= MAX_TRACESTATE
    ? { traceparent, tracestate }
    : { traceparent };
};

/** The authenticated party on whose behalf a call runs. */
export interface Principal {
  /** Identifies the party among all issuers; equal for all tokens of one party. Never shown. */
  readonly key: string;
  /** Identifier of the party, unique within its issuer. */
  readonly subject: string;
  /** URL of the authorization server that vouches for the subject; absent for the anonymous principal. */
  readonly issuer?: string;
  readonly email?: string;
  readonly groups?: readonly string[];
  /** Identifier of the party that acts for the subject. RFC 8693 §4.1 */
  readonly actor?: string;
  /** The scopes of the credentials of this request; absent where callers do not sign in. */
  readonly scopes?: readonly string[];
}

/** The principal of every call that carries no credentials. */
export const ANONYMOUS: Principal = Object.freeze({ key: 'anonymous', subject: 'anonymous' });

/** The facts of a principal that signed in: all of {@link Principal} but its key. */
export type SignedInFacts = Omit<Principal, 'key' | 'issuer'> & { readonly issuer: string };

/** Returns the principal of a party that signed in. Its key cannot equal that of another issuer's subject or of {@link ANONYMOUS}. */
export const createPrincipal = (facts: SignedInFacts): Principal =>
  Object.freeze({ key: JSON.stringify([facts.issuer, facts.subject]), ...facts });

/** Returns the principal of a key, without the facts that differ by token. */
export const toPrincipal = (key: string): Principal => {
  if (key === ANONYMOUS.key) return ANONYMOUS;
  const [issuer, subject] = JSON.parse(key) as readonly [string, string];
  return createPrincipal({ issuer, subject });
};

/**
 * Everything that accompanies a call, from the transport that received it to the server that answers it. One object carries it
 * through all packages. The transport creates `signal`, `caller` and `trace` when they are first read, so pass the context on
 * unchanged and read members late: most calls are answered before anything reads them. Do not spread a context: its members may
 * be accessors of its class.
 */
export interface CallContext {
  readonly principal: Principal;
  /** Identifier of the session; `undefined` for a call without one. */
  readonly sessionId: string | undefined;
  /** The key under which the caller is counted by limits; absent where there is one caller. */
  readonly callerKey?: string | undefined;
  /** Aborted when the caller cancels or disconnects, or when the time limit of the call passes. */
  readonly signal: AbortSignal;
  /** Time at which the call is ended, in milliseconds since the epoch; absent: no time limit. */
  readonly deadline?: number | undefined;
  /** The name that the client gives itself, unverified; absent for a client that does not name itself with each call. */
  readonly clientName?: string | undefined;
  /** The client that sent the call: it receives requests, log messages and notification channels. Absent: there is no client. */
  readonly caller?: Caller | undefined;
  /** The trace that the call belongs to. */
  readonly trace?: TraceContext | undefined;
  /** `_meta` of the request without the keys of the transport; it is passed on unchanged. */
  readonly meta?: JsonObject | undefined;
  /** Answers to an earlier `input_required` result, as the caller sent them (2026-07-28). */
  readonly inputResponses?: JsonObject | undefined;
  /** State of an earlier `input_required` result, as the caller sent it (2026-07-28). */
  readonly requestState?: string | undefined;
  /** Reports progress to the caller; absent when the caller did not request progress. */
  readonly onProgress?: ((progress: ProgressReport) => void) | undefined;
  /** The facts that the stages of the call add; absent without a reader. */
  record?: CallRecord | undefined;
}

/** The facts that the stages of a call add. The reader of the call takes them at its end. */
export interface CallRecord {
  /** Identifier of the call in the audit log. */
  readonly id: string;
  /** A server, a workflow or a core tool received the call. */
  isExecuted: boolean;
  /** The exposed name of the tool that the call was sent to. */
  tool?: string | undefined;
  /** The server that received the call. */
  server?: string | undefined;
  /** The name that the server has for the tool or prompt. */
  serverName?: string | undefined;
  /** Why the gateway did not execute the call. */
  refusal?: string | undefined;
}

/**
 * The context of a call that another call makes, such as a step of a workflow. It inherits the principal, the session, the caller
 * and the trace. `_meta`, the progress sink and the answers to `input_required` belong to the outer request and are not inherited.
 */
export class NestedCallContext implements CallContext {
  readonly principal: Principal;
  readonly sessionId: string | undefined;
  readonly signal: AbortSignal;
  readonly trace: TraceContext | undefined;
  readonly caller: Caller | undefined;
  readonly callerKey: string | undefined;

  constructor(outer: CallContext, signal: AbortSignal, caller = outer.caller) {
    this.principal = outer.principal;
    this.sessionId = outer.sessionId;
    this.signal = signal;
    this.trace = outer.trace;
    this.caller = caller;
    this.callerKey = outer.callerKey;
  }
}
