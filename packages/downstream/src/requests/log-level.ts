/** From chatter to alarm, as RFC 5424 orders them. */
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

/** Whether the protocol knows the level. */
export const isLogLevel = (level: unknown): boolean => ranks.has(level);

/** Whether a message of this level is at least as severe as the threshold. Of unknown levels nothing is wanted. */
export const isWanted = (level: unknown, threshold: string | undefined): boolean => {
  const least = ranks.get(threshold);
  const rank = ranks.get(level);
  return least !== undefined && rank !== undefined && rank >= least;
};

/** Whether `level` lets more messages through than `than`, which `undefined` does none. */
export const isMoreVerbose = (level: string | undefined, than: string | undefined): boolean => {
  const rank = ranks.get(level);
  return rank !== undefined && rank < (ranks.get(than) ?? LEVELS.length);
};
