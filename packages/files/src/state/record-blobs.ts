/**
 * Texts by id. An id has 1 to 128 letters, digits, `-` and `_`, and starts with a letter or digit. Reads and removals of any other id find
 * nothing.
 */
export interface RecordBlobs {
  /** Returns every id, in no particular order. */
  readonly list: () => Promise<readonly string[]>;
  /** Returns the text; undefined when there is none under this id. */
  readonly read: (id: string) => Promise<string | undefined>;
  /** Writes the text atomically. Rejects when it is not written. */
  readonly write: (id: string, text: string) => Promise<void>;
  /** Removes the text if it exists. */
  readonly remove: (id: string) => Promise<void>;
}
