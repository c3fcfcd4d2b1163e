const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Slope of the straight line through samples, in units of `of` for each minute. */
const slope = (samples, of) => {
  const mean = (value) => samples.reduce((sum, one) => sum + value(one), 0) / samples.length;
  const minutes = ({ second }) => second / 60;
  const [x, y] = [mean(minutes), mean(of)];
  const squares = mean((one) => (minutes(one) - x) ** 2);
  return squares === 0 ? 0 : mean((one) => (minutes(one) - x) * (of(one) - y)) / squares;
};

const least = (values) => Math.min(...values);

/**
 * Returns the value that represents each half. The heap is sampled after a collection: its middle, so that one odd sample changes nothing.
 * Resident memory goes up and down with garbage that is yet to be collected: its floor, which a leak raises and garbage does not.
 */
const STANDING = { heap: median, rss: least };

/** From the first half to the second. */
const growth = (samples, of, standing) => {
  const half = Math.floor(samples.length / 2);
  return standing(samples.slice(half).map(of)) - standing(samples.slice(0, half).map(of));
};

/** The share of the samples at the start that belongs to the warm-up. */
const WARM_UP = 0.25;

/**
 * Returns whether the memory of a process grew under load.
 *
 * @param samples `second`, `rss` and `heap` in MB; the heap after garbage was collected
 * @param bounds the most that the halves after the warm-up may differ by, in MB
 */
export const soakVerdict = (samples, { heapMb, rssMb }) => {
  const settled = samples.slice(Math.floor(samples.length * WARM_UP));
  const figures = Object.fromEntries(
    ['heap', 'rss'].flatMap((name) => {
      const of = (sample) => sample[name];
      return [
        [`${name}Mb`, of(settled.at(-1))],
        [`${name}GrowthMb`, growth(settled, of, STANDING[name])],
        [`${name}MbPerMinute`, slope(settled, of)],
      ];
    }),
  );
  const grows = figures.heapGrowthMb > heapMb || figures.rssGrowthMb > rssMb;
  return { ...figures, grows };
};
