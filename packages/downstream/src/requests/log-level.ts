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

/** The ranks of the log levels, in ascending severity. RFC 5424 */
export const LOG_LEVELS: ReadonlyMap<unknown, number> = new Map(
  LEVELS.map((level, rank) => [level, rank]),
);

/** Returns whether a level is at least as severe as the threshold; `false` for unknown levels. */
export const isSevereEnough = (level: unknown, threshold: string | undefined): boolean => {
  const least = LOG_LEVELS.get(threshold);
  const rank = LOG_LEVELS.get(level);
  return least !== undefined && rank !== undefined && rank >= least;
};

/** Returns whether `level` includes more messages than `than`, which includes none when it is `undefined`. */
export const isMoreVerbose = (level: string | undefined, than: string | undefined): boolean => {
  const rank = LOG_LEVELS.get(level);
  return rank !== undefined && rank < (LOG_LEVELS.get(than) ?? LEVELS.length);
};

/** The log level of one 2025 server. All callers of a connection share it. */
export class ServerLogLevel {
  readonly #set: (level: string) => Promise<unknown>;
  #current: string | undefined;
  #setting: Promise<void> | undefined;

  constructor(set: (level: string) => Promise<unknown>) {
    this.#set = set;
  }

  /** Raises the level of the server, which is never lowered. Resolves when the server has processed it; `undefined` when nothing changes. */
  raise(level: string | undefined): Promise<void> | undefined {
    if (level === undefined) return undefined;
    if (!isMoreVerbose(level, this.#current)) return this.#setting;
    this.#current = level;
    const done = this.#set(level).then(() => {
      if (this.#setting === done) this.#setting = undefined;
    });
    this.#setting = done;
    return done;
  }
}
