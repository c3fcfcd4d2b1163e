/** The result of a command: success, failure at run time, refused configuration or usage. */
export type CommandResult = 'succeeded' | 'failed' | 'refused';

/** The exit code of each result. */
export const EXIT_CODES: Readonly<Record<CommandResult, number>> = {
  succeeded: 0,
  failed: 1,
  refused: 2,
};
