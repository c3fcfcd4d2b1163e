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

/** A first Ctrl+C lets the command end its call; a second one ends the process as ever. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    controller.abort();
  });
  return controller.signal;
}

/** The process's own streams. */
export function processIo(): CliIo {
  exitWhenReaderCloses();
  let interrupted: AbortSignal | undefined;
  return {
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    env: process.env,
    readStdin: () => text(process.stdin),
    interrupted: () => (interrupted ??= interruption()),
  };
}
