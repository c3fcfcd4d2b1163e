import { describe, expect, it } from 'vitest';
import { RunningCall } from '../src/calls/running-call.ts';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const OTHER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Returns the trace of a call with these headers and this `_meta`. */
const traceOf = (headers: Readonly<Record<string, readonly string[]>>, meta?: object) => {
  const scope = {
    era: 'legacy',
    session: undefined,
    header: (name: string) => headers[name],
    sink: {},
  };
  const parts = [{ request: {}, scope }, { meta }, {}] as unknown as ConstructorParameters<
    typeof RunningCall
  >;
  return new RunningCall(...parts).trace;
};

describe('the trace of a call', () => {
  it('comes from the headers, whose trace state may have several lines', () => {
    expect(traceOf({ traceparent: [PARENT], tracestate: ['a=1', 'b=2'] }, { other: 1 })).toEqual({
      traceparent: PARENT,
      tracestate: 'a=1,b=2',
    });
  });

  it('is absent when the header is repeated or far too long', () => {
    expect(traceOf({ traceparent: [PARENT, OTHER] })).toBeUndefined();
    expect(traceOf({ traceparent: [PARENT.repeat(100_000)] })).toBeUndefined();
  });

  it('is never combined from _meta and the headers', () => {
    const headers = { traceparent: [OTHER], tracestate: ['vendor=1'] };
    expect(traceOf(headers, { traceparent: PARENT })).toEqual({ traceparent: PARENT });
    expect(traceOf(headers, { traceparent: 'malformed' })).toBeUndefined();
    expect(traceOf(headers, { tracestate: 'vendor=2' })).toBeUndefined();
  });

  it('is not read from the prototype of _meta', () => {
    const meta = JSON.parse(`{"__proto__":{"traceparent":"${PARENT}"}}`) as object;
    expect(traceOf({ traceparent: [OTHER] }, meta)).toEqual({ traceparent: OTHER });
  });
});
