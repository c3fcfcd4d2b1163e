import type { ReactNode } from 'react';

const WIDTH = 120;
const HEIGHT = 32;
const MARGIN = 2;

/** Returns the points of a line from left to right; the largest value is at the top, and 0 at the bottom. */
const sparklinePoints = (values: readonly number[]): string => {
  const largest = Math.max(...values, Number.MIN_VALUE);
  const step = WIDTH / Math.max(values.length - 1, 1);
  return values
    .map((value, at) => {
      const y = HEIGHT - MARGIN - (Math.max(value, 0) / largest) * (HEIGHT - 2 * MARGIN);
      return `${(at * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
};

/** A small chart of values over time. The page shows the latest value as text. */
export const Sparkline = ({ values }: { readonly values: readonly number[] }): ReactNode => (
  <svg
    viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    width="100%"
    height={HEIGHT}
    preserveAspectRatio="none"
    aria-hidden
  >
    <polyline
      points={sparklinePoints(values)}
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      vectorEffect="non-scaling-stroke"
    />
  </svg>
);
