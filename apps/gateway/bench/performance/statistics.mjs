const sorted = (values) => values.toSorted((a, b) => a - b);

/** Returns the median; of an even number of values, the mean of the two in the middle. */
export const median = (values) => {
  const ordered = sorted(values);
  const middle = ordered.length / 2;
  return Number.isInteger(middle)
    ? (ordered[middle - 1] + ordered[middle]) / 2
    : ordered[Math.floor(middle)];
};

/** Returns the median, the least and the largest of the values of the rounds. */
export const spreadOf = (values) => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

/**
 * Returns the ratios to a baseline of the same rounds, `undefined` when the baseline is too small to divide by.
 *
 * @param values one for each round
 * @param baseline one for each round
 */
export const ratiosOf = (values, baseline) =>
  baseline.some((value) => value <= 0) || baseline.length !== values.length
    ? undefined
    : values.map((value, round) => value / baseline[round]);
