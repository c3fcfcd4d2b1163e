import { parseMetrics, type MetricValue } from './parse-metrics.ts';

/** The metrics of a gateway at one time. Counters count since the start of the gateway. */
export interface GatewaySample {
  /** Milliseconds of any clock that does not go back. */
  readonly at: number;
  /** Calls of tools and of everything else that clients can call. */
  readonly calls: number;
  readonly failedCalls: number;
  /** The calls that took at most so many seconds, by this number. */
  readonly durations: ReadonlyMap<number, number>;
  readonly serverRequests: number;
  readonly failedServerRequests: number;
  /** The number of servers in each state. */
  readonly states: ReadonlyMap<string, number>;
}

const CALLS: ReadonlySet<string> = new Set([
  'gateway_meta_tool_calls_total',
  'gateway_native_calls_total',
]);
const DURATIONS: ReadonlySet<string> = new Set([
  'gateway_meta_tool_duration_seconds_bucket',
  'gateway_native_call_duration_seconds_bucket',
]);
const REQUESTS = 'gateway_server_requests_total';
const STATE = 'gateway_server_state';

const isWanted = (name: string): boolean =>
  CALLS.has(name) || DURATIONS.has(name) || name === REQUESTS || name === STATE;

const isFailed = ({ labels }: MetricValue): boolean => labels.get('outcome') !== 'ok';

const sumOf = (values: readonly MetricValue[]): number =>
  values.reduce((sum, { value }) => sum + value, 0);

const summedBy = <K>(
  values: readonly MetricValue[],
  keyOf: (value: MetricValue) => K,
): ReadonlyMap<K, number> => {
  const sums = new Map<K, number>();
  for (const value of values) {
    const key = keyOf(value);
    sums.set(key, (sums.get(key) ?? 0) + value.value);
  }
  return sums;
};

const boundOf = ({ labels }: MetricValue): number => {
  const bound = labels.get('le') ?? '';
  return bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
};

/** Returns the sample in a text of metrics. */
export const gatewaySampleOf = (text: string, at: number): GatewaySample => {
  const values = parseMetrics(text, isWanted);
  const calls = values.filter(({ name }) => CALLS.has(name));
  const requests = values.filter(({ name }) => name === REQUESTS);
  const durations = values.filter(({ name }) => DURATIONS.has(name));
  const states = values.filter(({ name, value }) => name === STATE && value > 0);
  return {
    at,
    calls: sumOf(calls),
    failedCalls: sumOf(calls.filter(isFailed)),
    durations: summedBy(durations, boundOf),
    serverRequests: sumOf(requests),
    failedServerRequests: sumOf(requests.filter(isFailed)),
    states: summedBy(states, ({ labels }) => labels.get('state') ?? ''),
  };
};
