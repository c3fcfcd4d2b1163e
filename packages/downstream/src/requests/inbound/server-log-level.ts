import { isMoreVerbose } from '../log-level.ts';

/** The log level of one 2025 server. All callers of a connection share it. */
export interface ServerLogLevel {
  /**
   * Raises the level of the server to at least `level`. Resolves when the server has processed it; `undefined` when nothing changes. The
   * level is never lowered, because messages are filtered per caller.
   */
  raise(level: string | undefined): Promise<void> | undefined;
}

/** Returns an unset log level. `set` sends a level to the server and must not reject; a refusal of the server is ignored. */
export const createServerLogLevel = (set: (level: string) => Promise<unknown>): ServerLogLevel => {
  let current: string | undefined;
  let setting: Promise<void> | undefined;
  return {
    raise(level) {
      if (level === undefined) return undefined;
      if (!isMoreVerbose(level, current)) return setting;
      current = level;
      const done = set(level).then(() => {
        if (setting === done) setting = undefined;
      });
      setting = done;
      return done;
    },
  };
};
