import type { Logger } from 'pino';

/** Logs errors of which callers are told one line, with where they come from. */
export const errorListener =
  (logger: Logger) =>
  (error: unknown): void => {
    logger.error({ err: error }, 'internal error');
  };
