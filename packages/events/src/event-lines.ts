import type { EventKind } from './stored-event.ts';

/**
 * Storage of events as lines, oldest first, one sequence per kind. A line is JSON without line breaks. An implementation deletes the oldest lines to limit the size.
 */
export interface EventLines {
  /** Appends lines. Rejects when not all lines were stored; the caller then appends them again. */
  append(kind: EventKind, lines: readonly string[]): Promise<void>;
  /** Returns at most `count` lines, newest first. Lines can be incomplete or unknown. */
  read(kind: EventKind, count: number): Promise<readonly string[]>;
  /**
   * Resolves when the next lines should be written: after a short delay, and later after failures.
   * @param failures number of consecutive failed appends
   */
  pause(failures: number): Promise<void>;
  /** Closes the storage. Nothing is appended afterwards. */
  close(): Promise<void>;
}
