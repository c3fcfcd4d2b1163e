import { exitWhenReaderCloses } from '@gateway/service-host';
import process from 'node:process';
import { Writable } from 'node:stream';
import type { AskPerson, CliIo, CliOutput, Terminal } from './cli-io.ts';

const silent = (): Writable =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });

/** Creates a function that asks the person at a terminal. Ctrl+C and Ctrl+D end the input. */
export const createAsk =
  ({ input, output }: Terminal): AskPerson =>
  async ({ text, isHidden }) => {
    if (isHidden) output.write(text);
    // Few commands ask.
    const { createInterface } = await import('node:readline/promises');
    const reader = createInterface({
      input,
      output: isHidden ? silent() : output,
      terminal: true,
      historySize: 0,
    });
    const ended = new Promise<undefined>((resolve) => {
      reader.once('close', () => {
        resolve(undefined);
      });
    });
    try {
      return await Promise.race([reader.question(isHidden ? '' : text), ended]);
    } finally {
      reader.close();
      if (isHidden) output.write('\n');
    }
  };

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
  return { ask: createAsk(terminal), terminal };
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
