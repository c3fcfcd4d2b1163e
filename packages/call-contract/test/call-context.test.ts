import { expect, it } from 'vitest';
import { ANONYMOUS, NestedCallContext, type CallContext } from '../src/index.ts';

const trace = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };

const outer: CallContext = {
  principal: ANONYMOUS,
  sessionId: 's1',
  signal: new AbortController().signal,
  trace,
  meta: { k: 'v' },
  requestState: 'state',
  onProgress: () => undefined,
};

it('gives a nested call the trace and the session, and not the _meta, progress and state of the outer request', () => {
  const { signal } = new AbortController();
  const nested: CallContext = new NestedCallContext(outer, signal);
  expect(nested).toEqual({ principal: ANONYMOUS, sessionId: 's1', signal, trace });
  expect(nested.signal).toBe(signal);
});
