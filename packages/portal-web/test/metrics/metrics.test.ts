import { describe, expect, it } from 'vitest';
import {
  computeGatewayRates,
  parseGatewaySample,
  parseMetrics,
  estimateQuantile,
} from '../../src/metrics/gateway-metrics.ts';

const all = (): boolean => true;
const shown = (text: string) =>
  parseMetrics(text, all).map(({ name, labels, value }) => [
    name,
    Object.fromEntries(labels),
    value,
  ]);

describe('the metrics of a text', () => {
  it('are names, labels and numbers', () => {
    const text = `# HELP a Something
# TYPE a counter
a 1
b{x="1",y="two"} 2.5 1700000000
c{le="+Inf"} +Inf
d 1e-05
`;
    expect(shown(text)).toEqual([
      ['a', {}, 1],
      ['b', { x: '1', y: 'two' }, 2.5],
      ['c', { le: '+Inf' }, Number.POSITIVE_INFINITY],
      ['d', {}, 0.000_01],
    ]);
  });

  it('have labels with quotes, braces, lines and names of the prototype', () => {
    const text = String.raw`a{__proto__="x",b="a \"b\" {c} \\ \n"} 1`;
    const labels = { ['__proto__']: 'x', b: 'a "b" {c} \\ \n' };
    expect(shown(text)).toEqual([['a', labels, 1]]);
  });

  it('are only those that are wanted', () => {
    expect(parseMetrics('a 1\nb 2', (name) => name === 'b')).toHaveLength(1);
  });

  it('leave out what is no value', () => {
    expect(shown('a\nb x\nc NaN\n{} 1\n<html>\nd 0x10\n1 2\n')).toEqual([]);
  });

  it('are bounded', () => {
    expect(shown('a 1\n'.repeat(60_000))).toHaveLength(50_000);
    expect(shown(`${'#'.repeat(5_000_000)}\na 1`)).toEqual([]);
  });

  it.each(['a{', 'a{b="', 'a{b="\\', '"', '{}', ' ', 'a{b="c",'])(
    'of a hostile text that repeats %s take little time',
    (part) => {
      expect(shown(part.repeat(200_000))).toEqual([]);
    },
  );
});

const textOf = (calls: number, failed: number, slow: number): string => `
gateway_meta_tool_calls_total{tool="call_tool",outcome="ok"} ${calls - failed}
gateway_meta_tool_calls_total{tool="call_tool",outcome="failed"} ${failed}
gateway_meta_tool_duration_seconds_bucket{tool="call_tool",le="0.1"} ${calls - slow}
gateway_meta_tool_duration_seconds_bucket{tool="call_tool",le="1"} ${calls}
gateway_meta_tool_duration_seconds_bucket{tool="call_tool",le="+Inf"} ${calls}
gateway_server_requests_total{server="a",outcome="ok"} ${calls * 2}
gateway_server_state{server="a",state="Running"} 1
gateway_server_state{server="b",state="Running"} 1
gateway_server_state{server="c",state="Failed"} 1
`;

const sample = (at: number, ...text: Parameters<typeof textOf>) =>
  parseGatewaySample(textOf(...text), at);

it('a sample has the sums of all tools and servers', () => {
  const states = new Map([
    ['Running', 2],
    ['Failed', 1],
  ]);
  const calls = { calls: 10, failedCalls: 3, serverRequests: 20, failedServerRequests: 0 };
  expect(sample(5, 10, 3, 0)).toMatchObject({ at: 5, ...calls, states });
});

describe('rates', () => {
  it('are differences per second', () => {
    const [rates, ...others] = computeGatewayRates([sample(0, 10, 0, 0), sample(4000, 30, 5, 0)]);
    expect(others).toEqual([]);
    const perSecond = { callsPerSecond: 5, failedPart: 0.25, serverRequestsPerSecond: 10 };
    expect(rates).toMatchObject({ at: 4000, ...perSecond });
    expect(rates?.slowSeconds).toBeCloseTo(0.095);
  });

  it('have no part of failures without calls', () => {
    const samples = [0, 1000].map((at) => sample(at, 10, 1, 0));
    expect(computeGatewayRates(samples)).toEqual([
      { at: 1000, callsPerSecond: 0, serverRequestsPerSecond: 0 },
    ]);
  });

  it('begin again after a restart of the gateway', () => {
    const samples = [30, 2, 4].map((calls, at) => sample(at * 1000, calls, 0, 0));
    expect(computeGatewayRates(samples).map(({ callsPerSecond }) => callsPerSecond)).toEqual([2]);
  });

  it('need two samples', () => {
    expect(computeGatewayRates([parseGatewaySample('', 0)])).toEqual([]);
    expect(computeGatewayRates([])).toEqual([]);
  });
});

describe('a quantile', () => {
  const estimate = (...counts: readonly (readonly [number, number])[]) =>
    estimateQuantile(new Map(counts), 0.95);

  it('is interpolated within its bucket', () => {
    expect(estimate([0.1, 0], [0.5, 100], [Infinity, 100])).toBeCloseTo(0.48);
    expect(estimate([0.5, 50], [Infinity, 50], [0.1, 50])).toBeCloseTo(0.095);
  });

  it('is the largest bound for what is above all, and none without observations', () => {
    expect(estimate([0.1, 0], [Infinity, 10])).toBe(0.1);
    expect(estimate([0.1, 0], [Infinity, 0])).toBe(undefined);
    expect(estimate()).toBe(undefined);
  });
});
