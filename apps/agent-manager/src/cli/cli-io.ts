/** The world of the command line. */
export interface CliIo {
  /** Results. */
  readonly stdout: { write(text: string): void };
  /** Everything else: refusals, notes. */
  readonly stderr: { write(text: string): void };
  readonly env: Readonly<Record<string, string | undefined>>;
}
