import { exitWhenReaderCloses } from '@gateway/service-host';
import process from 'node:process';
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

/** The parts that need a terminal. */
function terminalParts(): Pick<CliIo, 'ask' | 'terminal'> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return {};
  const terminal = { input: process.stdin, output: process.stderr };
  const ask: CliIo['ask'] = async (...question) => {
    // Few commands ask.
    const { createAsk } = await import('./ask-person.ts');
    return createAsk(terminal)(...question);
  };
  return { ask, terminal };
}

/** Returns the streams of this process. */
export function processIo(): CliIo {
  exitWhenReaderCloses();
  let interrupted: AbortSignal | undefined;
  return {
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    env: process.env,
    readStdin: async () => {
      const { text } = await import('node:stream/consumers');
      return text(process.stdin);
    },
    input: () => process.stdin as AsyncIterable<Uint8Array | string>,
    ...terminalParts(),
    interrupted: () => (interrupted ??= createInterruptSignal()),
  };
}
