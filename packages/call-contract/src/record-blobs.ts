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
  readonly onStored: (stored: readonly StoredSummary[]) => void;
  readonly onRemoved: (ids: readonly string[]) => void;
  /** Called once per outage. */
  readonly onFailure: (error: Error) => void;
  /** Called at the end of an outage. */
  readonly onRecovery: () => void;
  /** Returns the record of a run in progress whose process has ended; undefined when the text is no such record. */
  readonly endRecord: (id: string, text: string) => RecordText | undefined;
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
 * Texts of records by id. Each operation is atomic, and rejects when it fails; an error with `isFinal` is about this record, so that a
 * repetition fails as well.
 */
export interface RecordBlobs {
  /** Returns every id, in no particular order. */
  list(): Promise<readonly string[]>;
  /** Returns the text; undefined when there is none under this id. */
  read(id: string): Promise<string | undefined>;
  /** Writes a record, and the summary that lists show. */
  write(id: string, text: string, summary: string): Promise<void>;
  /** Removes the text if it exists. */
  remove(id: string): Promise<void>;
  /** Absent when only this process writes. */
  readonly shared?: SharedBlobs;
}
