/** The result of a command: success, failure at run time, refused configuration or usage, ended by Ctrl+C before its result. */
export type CommandResult = 'succeeded' | 'failed' | 'refused' | 'interrupted';

/** The exit code of each result. */
export const EXIT_CODES: Readonly<Record<CommandResult, number>> = {
  succeeded: 0,
  failed: 1,
  refused: 2,
  // 128 and the number of SIGINT, as shells report it.
  interrupted: 130,
};
