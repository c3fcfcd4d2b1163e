import type { GatewaySessions } from './client/kept-sessions.ts';

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
