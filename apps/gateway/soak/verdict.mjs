import { trendOf } from './trend.mjs';

/** The share of a run that belongs to the warm-up, and the seconds after which streams and connections are no longer retained. */
const WARM_UP = { share: 0.25, seconds: 90, maxShare: 0.5 };
/** A shorter run ends while such objects still accumulate. */
const SHORT_SECONDS = 150;
const SECONDS_PER_HOUR = 3_600;

/**
 * The watched quantities. `noise` is the growth over the whole run that measurements of a constant quantity can show: caches that fill,
 * compiled code, pages that the allocator retains, connections that are being replaced. `shortNoise` is that of a run that ends
 * before everything with a time limit has reached it.
 */
const QUANTITIES = [
  { key: 'heapMb', title: 'heap after collection, MB', noise: 1.5, shortNoise: 2.5 },
  { key: 'rssMb', title: 'floor of RSS, MB', noise: 12, shortNoise: 30 },
  { key: 'descriptors', title: 'file descriptors', noise: 2 },
  { key: 'timers', title: 'timers', noise: 100, shortNoise: 300 },
  { key: 'processes', title: 'processes', noise: 0.5 },
  { key: 'stateFiles', title: 'files of the state directory', noise: 2, shortNoise: 60 },
  {
    key: 'stateMb',
    title: 'size of the state directory without event logs, MB',
    noise: 0.25,
    shortNoise: 1,
  },
];

/** The most that the event logs occupy: they are segments that are removed, and fill more slowly than a run lasts. */
const MAX_LOG_MB = 13;

/** The share of the requests to well-behaved servers that may fail. */
const MAX_FAILED = 0.001;

/** A quantity grows when its slope is above zero beyond doubt, and when it has grown by more than measurements differ. */
const verdictOf = ({ key, title, ...quantity }, samples, isShort) => {
  const points = samples.map((sample) => [sample.second, sample[key]]);
  const { slope, low, high } = trendOf(points);
  const seconds = points.at(-1)[0] - points[0][0];
  const growth = slope * seconds;
  const noise = isShort ? (quantity.shortNoise ?? quantity.noise) : quantity.noise;
  const perHour = (value) => value * SECONDS_PER_HOUR;
  return {
    key,
    title,
    first: points[0][1],
    last: points.at(-1)[1],
    perHour: perHour(slope),
    lowPerHour: perHour(low),
    highPerHour: perHour(high),
    growth,
    noise,
    grows: low > 0 && growth > noise,
  };
};

/** Judges the samples of a run and the counts of its requests. */
export const soakVerdict = (samples, counts) => {
  const total = samples.at(-1).second;
  const { share, seconds, maxShare } = WARM_UP;
  const warmUp = Math.max(total * share, Math.min(seconds, total * maxShare));
  const settled = samples.filter(({ second }) => second >= warmUp);
  const isShort = total < SHORT_SECONDS;
  const quantities = QUANTITIES.map((quantity) => verdictOf(quantity, settled, isShort));
  const all = Object.values(counts);
  const requests = all.reduce((sum, { steps }) => sum + steps, 0);
  const failures = all.reduce((sum, { failures: failed }) => sum + failed, 0);
  const problems = quantities.filter(({ grows }) => grows).map(({ title }) => `${title} grows`);
  const logMb = Math.max(...samples.map((sample) => sample.logMb));
  if (logMb > MAX_LOG_MB) problems.push(`the event logs occupy ${logMb.toFixed(1)} MB`);
  if (failures > requests * MAX_FAILED) problems.push(`${failures} of ${requests} requests failed`);
  return { quantities, requests, failures, problems, passed: problems.length === 0 };
};
