const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Returns a duration in the largest units that express it: `340 ms`, `1.2 s`, `2 min 5 s`. @param ms milliseconds */
export const durationText = (ms: number): string => {
  if (ms < SECOND_MS) return `${Math.round(ms)} ms`;
  if (ms < MINUTE_MS) return `${Math.min(59.9, ms / SECOND_MS).toFixed(1)} s`;
  const seconds = Math.floor(ms / SECOND_MS);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};
