/** The part of a run whose samples are compared with those of the last part: minute 2 to 4 of ten minutes. */
const EARLY = { from: 0.2, to: 0.4 };
const LATE = { from: 0.8, to: 1 };

/**
 * What each replica may have more at the end: caches that fill, compiled code and pages that the allocator retains, since processes
 * that were started later have less of them; connections to servers and from the load balancer, whose number follows the requests that
 * run at once.
 */
const BOUNDS = [
  { key: 'heapMb', title: 'heap after collection, MB', bound: 15 },
  { key: 'rssMb', title: 'RSS, MB', bound: 60 },
  { key: 'descriptors', title: 'file descriptors', bound: 80 },
  { key: 'processes', title: 'child processes', bound: 2 },
  { key: 'files', title: 'files of the directory', bound: 20 },
];

/** Sessions that were abandoned expire after a minute. */
const MAX_MORE_KEYS = 150;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const within = (samples, { from, to }, seconds) => {
  const found = samples.filter(({ second }) => second >= from * seconds && second <= to * seconds);
  return found.length > 0 ? found : samples.slice(-1);
};

const comparisonOf = (replica, samples, seconds) =>
  BOUNDS.map(({ key, title, bound }) => {
    const own = samples
      .flatMap(({ replicas }) => replicas)
      .filter((sample) => sample.replica === replica);
    const [first, last] = [EARLY, LATE].map((part) =>
      median(within(own, part, seconds).map((sample) => sample[key])),
    );
    return { replica, title, first, last, bound, grows: last - first > bound };
  });

/** Compares what the replicas and Redis hold early in a run and at its end. */
export const growthOf = (samples, seconds) => {
  const names = [
    ...new Set(samples.flatMap(({ replicas }) => replicas.map(({ replica }) => replica))),
  ];
  const known = samples.filter(({ redisKeys }) => redisKeys !== undefined);
  const [first, last] = [EARLY, LATE].map((part) =>
    median(within(known, part, seconds).map(({ redisKeys }) => redisKeys)),
  );
  const keys = { replica: 'Redis', title: 'keys', first, last, bound: MAX_MORE_KEYS };
  return [
    ...names.flatMap((name) => comparisonOf(name, samples, seconds)),
    { ...keys, grows: last - first > MAX_MORE_KEYS },
  ];
};
