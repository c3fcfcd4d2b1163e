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
