import { describe, expect, it } from 'vitest';
import { parseTraceContext } from '../src/index.ts';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('parseTraceContext', () => {
  it('returns traceparent and tracestate', () => {
    expect(parseTraceContext(PARENT, 'vendor=1')).toEqual({
      traceparent: PARENT,
      tracestate: 'vendor=1',
    });
  });

  it.each([undefined, '', 7, 'x'.repeat(513)])('omits the unusable tracestate %j', (state) => {
    expect(parseTraceContext(PARENT, state)).toEqual({ traceparent: PARENT });
  });

  it.each([
    undefined,
    17,
    '',
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01',
    '00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01',
    `${PARENT}-more`,
  ])('rejects the traceparent %j', (parent) => {
    expect(parseTraceContext(parent, 'vendor=1')).toBeUndefined();
  });
});
