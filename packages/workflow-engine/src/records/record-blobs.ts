/** Texts by identity, somewhere outside: each operation is whole or not at all, and rejects when it fails. */
export interface RecordBlobs {
  /** Every identity that is there, in no particular order. */
  list(): Promise<readonly string[]>;
  read(id: string): Promise<string | undefined>;
  write(id: string, text: string): Promise<void>;
  /** What is not there is removed. */
  remove(id: string): Promise<void>;
}
