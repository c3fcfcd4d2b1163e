/** A record as a storage of several processes reports it. */
export interface StoredSummary {
  readonly id: string;
  /** The summary that was written with the record. */
  readonly summary: string;
}

/** The text of a record and its summary. */
export interface RecordText {
  readonly text: string;
  readonly summary: string;
}

/** Receives the records that processes write. The functions must not throw. */
export interface SharedBlobsListener {
  onStored(stored: readonly StoredSummary[]): void;
  onRemoved(ids: readonly string[]): void;
  /** Called once per outage. */
  onFailure(error: Error): void;
  /** Called at the end of an outage. */
  onRecovery(): void;
  /** Returns the record of a run in progress whose process has ended; undefined when the text is no such record. */
  ended(id: string, text: string): RecordText | undefined;
}

/** The part of a storage that several processes write to. It ends the runs of processes that have ended. */
export interface SharedBlobs {
  /** Reports all records, then each change. Resolves after the first report, or when nothing can be read. Never rejects. */
  follow(listener: SharedBlobsListener): Promise<void>;
  /** Reports all records again. */
  report(): void;
  /** Ends the reports. */
  close(): void;
}

/**
 * A store of texts by id: each operation is atomic, and rejects when it fails. An error with `isFinal: true` is about this text, so that a
 * repetition fails as well.
 */
export interface RecordBlobs {
  /** Returns every id, in no particular order. */
  list(): Promise<readonly string[]>;
  read(id: string): Promise<string | undefined>;
  /** Writes a record, and the summary for lists of other processes. */
  write(id: string, text: string, summary: string): Promise<void>;
  /** Removes a text; does nothing when it does not exist. */
  remove(id: string): Promise<void>;
  /** Absent when only this process writes. */
  readonly shared?: SharedBlobs;
}
