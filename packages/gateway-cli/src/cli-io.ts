/** A stream that a command writes to. */
export interface CliOutput {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Columns of the terminal. */
  readonly columns: number;
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
  /** Returns a signal that Ctrl+C aborts. */
  interrupted(): AbortSignal;
}
