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
export const isSevereEnough = (level: unknown, threshold: string | undefined): boolean => {
  const least = ranks.get(threshold);
  const rank = ranks.get(level);
  return least !== undefined && rank !== undefined && rank >= least;
};

/** Returns whether `level` includes more messages than `than`, which includes none when it is `undefined`. */
export const isMoreVerbose = (level: string | undefined, than: string | undefined): boolean => {
  const rank = ranks.get(level);
  return rank !== undefined && rank < (ranks.get(than) ?? LEVELS.length);
};

/** The log level of one 2025 server. All callers of a connection share it. */
export class ServerLogLevel {
  readonly #set: (level: string) => Promise<unknown>;
  #current: string | undefined;
  #setting: Promise<void> | undefined;

  /** @param set sends a level to the server and must not reject; a refusal of the server is ignored */
  constructor(set: (level: string) => Promise<unknown>) {
    this.#set = set;
  }

  /**
   * Raises the level of the server to at least `level`. Resolves when the server has processed it; `undefined` when nothing changes. The
   * level is never lowered, because messages are filtered per caller.
   */
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
