/** A store of texts by id: each operation is atomic, and rejects when it fails. */
export interface RecordBlobs {
  /** Returns every id, in no particular order. */
  list(): Promise<readonly string[]>;
  read(id: string): Promise<string | undefined>;
  write(id: string, text: string): Promise<void>;
  /** Removes a text; does nothing when it does not exist. */
  remove(id: string): Promise<void>;
}
