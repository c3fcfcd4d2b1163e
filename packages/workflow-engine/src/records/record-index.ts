import type { ExecutionRecord } from '@gateway/crd-schemas';
import {
  matchesQuery,
  type ExecutionListPage,
  type ExecutionListQuery,
  type ExecutionSummary,
} from './execution-summary.ts';

/** The part of a run that is in memory. */
export interface RecordEntry {
  readonly summary: ExecutionSummary;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The size of the whole record. */
  readonly bytes: number;
  /** The whole record, while the storage does not have it. */
  readonly held?: ExecutionRecord;
  /** True when the storage has a version of it. */
  readonly stored: boolean;
  /** True when this process runs it: otherwise it will never end. */
  readonly ours: boolean;
}

/** The position of a run in the order; its entry is replaced in place. */
interface Place {
  entry: RecordEntry;
}

/** An index of runs by id and in the order of their start, with the totals of their sizes. */
export class RecordIndex {
  readonly #byId = new Map<string, Place>();
  /** Oldest first; of two runs with the same start, the first one stored first. */
  readonly #inOrder: Place[] = [];
  #totalBytes = 0;
  #memoryBytes = 0;

  get size(): number {
    return this.#inOrder.length;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  get(id: string): RecordEntry | undefined {
    return this.#byId.get(id)?.entry;
  }

  /** Returns the entry with the earliest start among those that match. */
  oldest(matches: (entry: RecordEntry) => boolean = () => true): RecordEntry | undefined {
    return this.#inOrder.find(({ entry }) => matches(entry))?.entry;
  }

  entries(): readonly RecordEntry[] {
    return this.#inOrder.map(({ entry }) => entry);
  }

  set(entry: RecordEntry): void {
    const id = entry.summary.execution_id;
    const place = this.#byId.get(id);
    if (place?.entry.startedAt === entry.startedAt) {
      this.#count(place.entry, -1);
      place.entry = entry;
    } else {
      this.remove(id);
      this.#add(entry);
    }
    this.#count(entry, 1);
  }

  remove(id: string): void {
    const place = this.#byId.get(id);
    if (place === undefined) return;
    this.#count(place.entry, -1);
    this.#byId.delete(id);
    this.#inOrder.splice(this.#inOrder.indexOf(place), 1);
  }

  /** Newest first. */
  page(query: ExecutionListQuery): ExecutionListPage {
    const executions: ExecutionSummary[] = [];
    let total = 0;
    for (let at = this.#inOrder.length - 1; at >= 0; at -= 1) {
      const summary = this.#inOrder[at]?.entry.summary;
      if (summary === undefined || !matchesQuery(summary, query)) continue;
      if (total >= query.offset && executions.length < query.limit) executions.push(summary);
      total += 1;
    }
    return { executions, total };
  }

  #add(entry: RecordEntry): void {
    const place = { entry };
    this.#byId.set(entry.summary.execution_id, place);
    this.#inOrder.splice(this.#indexFor(entry), 0, place);
  }

  /** Runs are put as they start, so this is nearly always the end. */
  #indexFor({ startedAt }: RecordEntry): number {
    return this.#inOrder.findLastIndex(({ entry }) => entry.startedAt <= startedAt) + 1;
  }

  #count(entry: RecordEntry, sign: 1 | -1): void {
    this.#totalBytes += sign * entry.bytes;
    if (entry.held !== undefined) this.#memoryBytes += sign * entry.bytes;
  }
}
