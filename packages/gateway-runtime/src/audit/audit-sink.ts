/** Receives the lines of the audit log. */
export interface AuditSink {
  /** Accepts one line without its line feed. Returns at once and never throws: a line that cannot be stored is counted as lost. */
  readonly write: (line: string) => void;
  /** Resolves when the lines before were passed to the process that stores them. */
  readonly flush: () => Promise<void>;
}

/** An audit sink of this process. */
export interface OwnAuditSink extends AuditSink {
  /** Registers the listener for lines that this process could not pass on; absent in the process that stores them. */
  readonly onLost?: (listener: (lines: number) => void) => void;
}
