/** Output and environment of a command. */
export interface CliIo {
  /** Results. */
  readonly stdout: { write(text: string): void };
  /** Refusals and notes. */
  readonly stderr: { write(text: string): void };
  readonly env: Readonly<Record<string, string | undefined>>;
}
