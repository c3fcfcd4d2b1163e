/** One value of a metric. */
interface MetricValue {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const MAX_CHARS = 4_000_000;
const MAX_VALUES = 50_000;

const LINE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?[ \t]+(\S+)/;
const LABEL = /([A-Za-z_]\w*)="([^"\\]*(?:\\.[^"\\]*)*)"/g;
const ESCAPE = /\\(.)/g;

const unescape = (text: string): string =>
  text.replace(ESCAPE, (_match, char: string) => (char === 'n' ? '\n' : char));

const parseLabels = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [name, unescape(value)] as const),
  );

/** Numbers are written as in Go: `+Inf`, `-Inf`, `NaN`, `1e-05`. */
const parseNumber = (text: string): number =>
  /^[+-]?Inf$/.test(text)
    ? Number(text.replace('Inf', 'Infinity'))
    : /^[+-]?[\d.]+(?:e[+-]?\d+)?$/i.test(text)
      ? Number(text)
      : Number.NaN;

/**
 * Parses metrics in the Prometheus text format. Lines that are no values are left out, as are values after the 50,000th and the part
 * of a text after 4,000,000 characters. Never throws.
 *
 * @param isWanted returns whether the values of a name are needed
 */
export const parseMetrics = (
  text: string,
  isWanted: (name: string) => boolean,
): readonly MetricValue[] => {
  const values: MetricValue[] = [];
  for (const line of text.slice(0, MAX_CHARS).split('\n')) {
    if (values.length >= MAX_VALUES) break;
    const [, name = '', labels = '', number = ''] = LINE.exec(line) ?? [];
    if (name === '' || !isWanted(name)) continue;
    const value = parseNumber(number);
    if (!Number.isNaN(value)) values.push({ name, labels: parseLabels(labels), value });
  }
  return values;
};

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

const isRead = (name: string): boolean =>
  CALLS.has(name) || DURATIONS.has(name) || name === REQUESTS || name === STATE;

const isFailed = ({ labels }: MetricValue): boolean => labels.get('outcome') !== 'ok';

const sum = (values: readonly MetricValue[]): number =>
  values.reduce((sum, { value }) => sum + value, 0);

const sumBy = <K>(
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

const parseBound = ({ labels }: MetricValue): number => {
  const bound = labels.get('le') ?? '';
  return bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
};

/** Returns the sample in a text of metrics. */
export const parseGatewaySample = (text: string, at: number): GatewaySample => {
  const values = parseMetrics(text, isRead);
  const calls = values.filter(({ name }) => CALLS.has(name));
  const requests = values.filter(({ name }) => name === REQUESTS);
  const durations = values.filter(({ name }) => DURATIONS.has(name));
  const states = values.filter(({ name, value }) => name === STATE && value > 0);
  return {
    at,
    calls: sum(calls),
    failedCalls: sum(calls.filter(isFailed)),
    durations: sumBy(durations, parseBound),
    serverRequests: sum(requests),
    failedServerRequests: sum(requests.filter(isFailed)),
    states: sumBy(states, ({ labels }) => labels.get('state') ?? ''),
  };
};

/** The changes of a gateway between two samples, per second. */
export interface GatewayRates {
  /** The time of the later sample. */
  readonly at: number;
  readonly callsPerSecond: number;
  /** The part of the calls that failed, 0 to 1; `undefined` without calls. */
  readonly failedPart?: number;
  /** The seconds within which 95 % of the calls ended; `undefined` without calls. */
  readonly slowSeconds?: number;
  readonly serverRequestsPerSecond: number;
}

const SLOW_PART = 0.95;
const MS = 1_000;

/** Counters of a gateway that was restarted begin again. */
const isRestarted = (before: GatewaySample, after: GatewaySample): boolean =>
  after.calls < before.calls || after.serverRequests < before.serverRequests;

/**
 * Returns the value below which a part of the observations of a histogram are, by linear interpolation within its bucket; the largest
 * finite bound for one above all of them; `undefined` without observations.
 *
 * @param buckets cumulative counts by their upper bounds
 */
export const estimateQuantile = (
  buckets: ReadonlyMap<number, number>,
  part: number,
): number | undefined => {
  const sorted = [...buckets].toSorted(([one], [other]) => one - other);
  const total = sorted.at(-1)?.[1] ?? 0;
  if (total <= 0) return undefined;
  let [lower, below] = [0, 0];
  for (const [bound, count] of sorted) {
    if (count >= part * total) {
      if (!Number.isFinite(bound)) return lower;
      return lower + ((bound - lower) * (part * total - below)) / Math.max(count - below, 1);
    }
    [lower, below] = [bound, count];
  }
  return lower;
};

const diffDurations = (before: GatewaySample, after: GatewaySample): ReadonlyMap<number, number> =>
  new Map(
    [...after.durations].map(
      ([bound, count]) => [bound, count - (before.durations.get(bound) ?? 0)] as const,
    ),
  );

const computeRates = (before: GatewaySample, after: GatewaySample): GatewayRates | undefined => {
  const seconds = (after.at - before.at) / MS;
  if (seconds <= 0 || isRestarted(before, after)) return undefined;
  const calls = after.calls - before.calls;
  const slowSeconds = estimateQuantile(diffDurations(before, after), SLOW_PART);
  return {
    at: after.at,
    callsPerSecond: calls / seconds,
    ...(calls > 0 && { failedPart: (after.failedCalls - before.failedCalls) / calls }),
    ...(slowSeconds !== undefined && { slowSeconds }),
    serverRequestsPerSecond: (after.serverRequests - before.serverRequests) / seconds,
  };
};

/** Returns the rates between samples that follow each other; none across a restart of the gateway. */
export const computeGatewayRates = (samples: readonly GatewaySample[]): readonly GatewayRates[] =>
  samples.flatMap((after, at) => {
    const before = samples[at - 1];
    return (before === undefined ? undefined : computeRates(before, after)) ?? [];
  });
