import type { EventKind } from './stored-event.ts';

/**
 * Where remembered events are kept: lines, oldest first, one sequence for each kind. A line is JSON without line breaks. An
 * implementation bounds what it keeps by dropping the oldest.
 */
export interface EventLines {
  /** Adds lines at the end. Rejects when they may not all have been kept; they come again then. */
  append(kind: EventKind, lines: readonly string[]): Promise<void>;
  /** The newest lines first, at most `count`. What is there may be torn or foreign. */
  read(kind: EventKind, count: number): Promise<readonly string[]>;
  /**
   * Resolves when the next lines should be written: after a moment in which more may gather, later after failures.
   * @param failures how many appends in a row failed
   */
  pause(failures: number): Promise<void>;
  /** Lets go of what it holds. Nothing is appended afterwards. */
  close(): Promise<void>;
}
