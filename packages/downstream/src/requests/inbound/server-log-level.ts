import { isMoreVerbose } from '../log-level.ts';

/** The log level of one 2025 server, which has one for all callers of a connection. */
export interface ServerLogLevel {
  /**
   * Makes the server say at least this much. Resolves when the server knows it; `undefined` when there is nothing to do. What a caller
   * does not want is filtered where it is passed on, so the level is only ever raised.
   */
  raise(level: string | undefined): Promise<void> | undefined;
}

/** A level that nobody has set yet. `set` sends it to the server and must not reject; whether the server takes it is not asked. */
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
