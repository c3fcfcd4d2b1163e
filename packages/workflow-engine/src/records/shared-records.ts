import type { ExecutionRecord } from '@gateway/crd-schemas';
import type { RecordText, SharedBlobs, StoredSummary } from './record-blobs.ts';
import type { RecordIndex } from './record-index.ts';
import { reasonOf, type StorageWarnings } from './storage-warnings.ts';
import { endedRecord, readStoredRecord } from './stored-record.ts';
import { entryOf, summaryText } from './summary-text.ts';

/** The dependencies of shared records. */
export interface SharedRecordsOptions {
  readonly shared: SharedBlobs;
  readonly index: RecordIndex;
  readonly problems: StorageWarnings;
  /** Called after each change of the index. */
  readonly onChange: () => void;
}

/** Returns the record of a run in progress after the end of its process. */
const endedText = (id: string, text: string): RecordText | undefined => {
  const record: ExecutionRecord | undefined = readStoredRecord(id, text);
  if (record?.status !== 'inprogress') return undefined;
  const ended = endedRecord(record);
  return { text: JSON.stringify(ended), summary: summaryText(ended) };
};

/** Follows a storage that several processes write to: an index has the runs of all. */
export class SharedRecords {
  readonly #options: SharedRecordsOptions;

  constructor(options: SharedRecordsOptions) {
    this.#options = options;
  }

  follow(): Promise<void> {
    const { shared, problems } = this.#options;
    return shared.follow({
      onStored: (stored) => this.#store(stored),
      onRemoved: (ids) => this.#remove(ids),
      onFailure: (error) => problems.failed('list', reasonOf(error)),
      onRecovery: () => problems.succeeded('list'),
      ended: endedText,
    });
  }

  #store(stored: readonly StoredSummary[]): void {
    const { index, problems, onChange } = this.#options;
    const entries = stored.flatMap(({ id, summary }) => {
      const entry = entryOf(id, summary);
      if (entry === undefined) problems.failed('broken', id);
      return entry ?? [];
    });
    for (const entry of entries.toSorted((a, b) => a.startedAt - b.startedAt)) {
      const known = index.get(entry.summary.execution_id);
      // A record that waits for its write is newer.
      if (known?.held !== undefined) index.set({ ...known, stored: true });
      else index.set({ ...entry, ours: known?.ours ?? false });
    }
    onChange();
  }

  #remove(ids: readonly string[]): void {
    const { index } = this.#options;
    for (const id of ids) {
      const known = index.get(id);
      if (known?.held !== undefined) index.set({ ...known, stored: false });
      else index.remove(id);
    }
  }
}
