import process from 'node:process';

/** A reader such as `head` closes the pipe when it has read enough; that is not a failure. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

/** Ends this process without an error when the reader of stdout or stderr closes the pipe. */
export function exitWhenReaderCloses(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', exitOnClosedPipe);
}

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
