import type { AskPerson, CliIo, CliOutput, Terminal } from './cli-io.ts';

/** The environment of a command that runs in this process. */
export interface BufferedIoOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Receives questions, as a terminal does. */
  readonly ask?: AskPerson;
  /** Columns of the terminal that both streams are; absent for pipes. */
  readonly terminal?: number;
  /** The keyboard and the screen of a person. */
  readonly person?: Terminal;
  readonly interrupted?: AbortSignal;
  /** Receives each text that is written to stdout. */
  readonly onStdout?: (text: string) => void;
  /** Receives each text that is written to stderr. */
  readonly onStderr?: (text: string) => void;
}

/** Streams in memory, with everything that was written to them. */
export interface BufferedIo extends CliIo {
  readonly written: { readonly stdout: string; readonly stderr: string };
}

/** Creates streams in memory, for programs and tests that run commands in their own process. */
export function createBufferedIo(options: BufferedIoOptions = {}): BufferedIo {
  const { env = {}, stdin = '', terminal, person, interrupted, onStdout, onStderr, ask } = options;
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
    ...(person !== undefined && { terminal: person }),
    ...(ask !== undefined && { ask }),
    interrupted: () => interrupted ?? new AbortController().signal,
  };
}
