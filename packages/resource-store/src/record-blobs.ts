/**
 * Texts of a directory, each under an id: 1 to 128 letters, digits, `-` and `_`, the first a letter or digit. Under any
 * other id there is nothing to be read or removed.
 */
export interface RecordBlobs {
  /** Every id that is there, in no particular order. */
  readonly list: () => Promise<readonly string[]>;
  /** @returns undefined when there is nothing under this id that could have been written here */
  readonly read: (id: string) => Promise<string | undefined>;
  /** Writes the whole text or, when it rejects, nothing. */
  readonly write: (id: string, text: string) => Promise<void>;
  /** What is not there is removed. */
  readonly remove: (id: string) => Promise<void>;
}
