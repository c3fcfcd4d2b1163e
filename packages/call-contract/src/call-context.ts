import type { Caller } from './caller.ts';
import type { JsonObject } from './json.ts';
import type { Principal } from './principal.ts';
import type { ProgressReport } from './progress-report.ts';
import type { TraceContext } from './trace-context.ts';

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
