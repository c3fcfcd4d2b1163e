import { exitWhenReaderCloses } from '@gateway/service-host';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import type { CliIo, CliOutput } from './cli-io.ts';

const DEFAULT_COLUMNS = 80;

function output(stream: NodeJS.WriteStream): CliOutput {
  return {
    write: (chunk) => void stream.write(chunk),
    isTerminal: stream.isTTY,
    get columns() {
      return stream.columns || DEFAULT_COLUMNS;
    },
  };
}

/** Returns a signal that the first Ctrl+C aborts. The second one ends the process. */
function createInterruptSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    controller.abort();
  });
  return controller.signal;
}

/** Returns the streams of this process. */
export function processIo(): CliIo {
  exitWhenReaderCloses();
  let interrupted: AbortSignal | undefined;
  return {
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    env: process.env,
    readStdin: () => text(process.stdin),
    interrupted: () => (interrupted ??= createInterruptSignal()),
  };
}
