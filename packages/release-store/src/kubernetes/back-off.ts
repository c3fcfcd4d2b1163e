const FIRST_MS = 100;
const MAX_MS = 30_000;

/** How long to wait before the next attempt, in milliseconds: twice as long after each failure in a row, and not in step with others. */
export const backOffMs = (failuresInARow: number): number => {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failuresInARow, 20));
  return full / 2 + (Math.random() * full) / 2;
};
