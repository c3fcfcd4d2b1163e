/** The quantile of the normal distribution for a two-sided interval of 95 %. */
const Z = 1.96;

/**
 * The slope of a series with its interval of confidence of 95 % (Theil and Sen): the median of the slopes of all pairs, which single
 * odd samples do not change.
 *
 * @param points `[x, y]`, in the order of x
 */
export const trendOf = (points) => {
  const slopes = [];
  for (const [at, [x, y]] of points.entries()) {
    for (const [laterX, laterY] of points.slice(at + 1)) slopes.push((laterY - y) / (laterX - x));
  }
  slopes.sort((a, b) => a - b);
  const count = points.length;
  const spread = Z * Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
  const rank = (index) => slopes[Math.max(0, Math.min(slopes.length - 1, Math.round(index)))] ?? 0;
  return {
    slope: rank((slopes.length - 1) / 2),
    low: rank((slopes.length - spread) / 2 - 1),
    high: rank((slopes.length + spread) / 2),
  };
};
