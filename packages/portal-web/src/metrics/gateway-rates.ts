import type { GatewaySample } from './gateway-sample.ts';

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
export const quantile = (
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

const durationsBetween = (
  before: GatewaySample,
  after: GatewaySample,
): ReadonlyMap<number, number> =>
  new Map(
    [...after.durations].map(
      ([bound, count]) => [bound, count - (before.durations.get(bound) ?? 0)] as const,
    ),
  );

const ratesBetween = (before: GatewaySample, after: GatewaySample): GatewayRates | undefined => {
  const seconds = (after.at - before.at) / MS;
  if (seconds <= 0 || isRestarted(before, after)) return undefined;
  const calls = after.calls - before.calls;
  const slowSeconds = quantile(durationsBetween(before, after), SLOW_PART);
  return {
    at: after.at,
    callsPerSecond: calls / seconds,
    ...(calls > 0 && { failedPart: (after.failedCalls - before.failedCalls) / calls }),
    ...(slowSeconds !== undefined && { slowSeconds }),
    serverRequestsPerSecond: (after.serverRequests - before.serverRequests) / seconds,
  };
};

/** Returns the rates between samples that follow each other; none across a restart of the gateway. */
export const gatewayRates = (samples: readonly GatewaySample[]): readonly GatewayRates[] =>
  samples.flatMap((after, at) => {
    const before = samples[at - 1];
    return (before === undefined ? undefined : ratesBetween(before, after)) ?? [];
  });
