/** The log levels in ascending severity. RFC 5424 */
const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

const ranks: ReadonlyMap<unknown, number> = new Map(LEVELS.map((level, rank) => [level, rank]));

/** Returns whether the protocol defines the level. */
export const isLogLevel = (level: unknown): boolean => ranks.has(level);

/** Returns whether a level is at least as severe as the threshold; `false` for unknown levels. */
export const isWanted = (level: unknown, threshold: string | undefined): boolean => {
  const least = ranks.get(threshold);
  const rank = ranks.get(level);
  return least !== undefined && rank !== undefined && rank >= least;
};

/** Returns whether `level` includes more messages than `than`, which includes none when it is `undefined`. */
export const isMoreVerbose = (level: string | undefined, than: string | undefined): boolean => {
  const rank = ranks.get(level);
  return rank !== undefined && rank < (ranks.get(than) ?? LEVELS.length);
};
