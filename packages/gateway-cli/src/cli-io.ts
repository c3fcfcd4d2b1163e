/** A stream that a command writes to. */
export interface CliOutput {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Characters in a line of a terminal. */
  readonly columns: number;
}

/** The world of the command line. */
export interface CliIo {
  /** Results. */
  readonly stdout: CliOutput;
  /** Everything else: refusals, progress, notes. */
  readonly stderr: CliOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All of standard input, as text. */
  readStdin(): Promise<string>;
  /** Aborted when the person at the terminal has had enough. */
  interrupted(): AbortSignal;
}
