import type { GatewaySessions } from './client/gateway-client.ts';

/** A stream that a command writes to. */
export interface CliOutput {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal. */
  readonly columns: number;
}

/** A question to the person at the terminal. */
export interface PersonQuestion {
  readonly text: string;
  /** The terminal does not show the answer. */
  readonly isHidden: boolean;
}

/** Returns the line that a person enters; `undefined` when the input ends. */
export type AskPerson = (question: PersonQuestion) => Promise<string | undefined>;

/** A keyboard and a screen. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Streams and environment of a command. */
export interface CliIo {
  /** Results. */
  readonly stdout: CliOutput;
  /** Everything else: errors, progress, notes. */
  readonly stderr: CliOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns all of standard input as text. */
  readStdin(): Promise<string>;
  /** Returns standard input piece by piece. */
  input(): AsyncIterable<Uint8Array | string>;
  /** The terminal of the person; absent when standard input or stderr is none. */
  readonly terminal?: Terminal;
  /** Keeps sessions between commands; without it each command opens its own. */
  readonly sessions?: GatewaySessions;
  /** Absent without a terminal. */
  readonly ask?: AskPerson;
  /** Returns a signal that Ctrl+C aborts. */
  interrupted(): AbortSignal;
}

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
interface BufferedIo extends CliIo {
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
