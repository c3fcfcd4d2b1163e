import { exitWhenReaderCloses } from '@gateway/service-host';
import process from 'node:process';
import { Writable } from 'node:stream';
import type { SessionPool } from './client/gateway-client.ts';

export interface CliOutput {
  write(text: string): void;
  readonly isTerminal: boolean;
  readonly columns: number;
}

export interface UserQuestion {
  readonly text: string;
  readonly isHidden: boolean;
}

export type AskUser = (question: UserQuestion) => Promise<string | undefined>;

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

export interface CliIo {
  readonly stdout: CliOutput;
  readonly stderr: CliOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  readStdin(): Promise<string>;
  input(): AsyncIterable<Uint8Array | string>;
  readonly terminal?: Terminal;
  /** Keeps sessions between commands; without it each command opens its own. */
  readonly sessions?: SessionPool;
  readonly ask?: AskUser;
  getInterruptSignal(): AbortSignal;
}

export interface BufferedIoOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly ask?: AskUser;
  /** Columns of the terminal that both streams are; absent for pipes. */
  readonly terminal?: number;
  readonly user?: Terminal;
  readonly interrupted?: AbortSignal;
  readonly onStdout?: (text: string) => void;
  readonly onStderr?: (text: string) => void;
}

interface BufferedIo extends CliIo {
  readonly written: { readonly stdout: string; readonly stderr: string };
}

export function createBufferedIo(options: BufferedIoOptions = {}): BufferedIo {
  const { env = {}, stdin = '', terminal, user, interrupted, onStdout, onStderr, ask } = options;
  const written = { stdout: '', stderr: '' };
  const output = (stream: keyof typeof written): CliOutput => ({
    write: (text) => {
      written[stream] += text;
      (stream === 'stdout' ? onStdout : onStderr)?.(text);
    },
    isTerminal: terminal !== undefined,
    columns: terminal ?? 80,
  });
  return {
    written,
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    readStdin: () => Promise.resolve(stdin),
    async *input() {
      yield await Promise.resolve(stdin);
    },
    ...(user !== undefined && { terminal: user }),
    ...(ask !== undefined && { ask }),
    getInterruptSignal: () => interrupted ?? new AbortController().signal,
  };
}

const createSilentStream = (): Writable =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });

/** Creates a function that asks the user at a terminal. Ctrl+C and Ctrl+D end the input. */
export const createAsk =
  ({ input, output }: Terminal): AskUser =>
  async ({ text, isHidden }) => {
    if (isHidden) output.write(text);
    // Few commands ask.
    const { createInterface } = await import('node:readline/promises');
    const reader = createInterface({
      input,
      output: isHidden ? createSilentStream() : output,
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

function createOutput(stream: NodeJS.WriteStream): CliOutput {
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

function createTerminalParts(): Pick<CliIo, 'ask' | 'terminal'> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return {};
  const terminal = { input: process.stdin, output: process.stderr };
  return { ask: createAsk(terminal), terminal };
}

export function createProcessIo(): CliIo {
  exitWhenReaderCloses();
  let interrupted: AbortSignal | undefined;
  return {
    stdout: createOutput(process.stdout),
    stderr: createOutput(process.stderr),
    env: process.env,
    readStdin: async () => {
      const { text } = await import('node:stream/consumers');
      return text(process.stdin);
    },
    input: () => process.stdin as AsyncIterable<Uint8Array | string>,
    ...createTerminalParts(),
    getInterruptSignal: () => (interrupted ??= createInterruptSignal()),
  };
}
