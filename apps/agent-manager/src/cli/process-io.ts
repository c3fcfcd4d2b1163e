import process from 'node:process';
import type { CliIo } from './cli-io.ts';

/** A reader who has enough, such as `head`, closes the pipe: that is the end, and no failure. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

/** The process's own streams and environment. */
export function processIo(): CliIo {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endWithReader);
  return {
    stdout: { write: (text) => void process.stdout.write(text) },
    stderr: { write: (text) => void process.stderr.write(text) },
    env: process.env,
  };
}
