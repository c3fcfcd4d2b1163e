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
