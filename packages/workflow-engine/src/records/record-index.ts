import type { ExecutionRecord } from '@gateway/crd-schemas';
import {
  matchesQuery,
  type ExecutionListPage,
  type ExecutionListQuery,
  type ExecutionSummary,
} from './execution-summary.ts';

/** What is in memory of one run. */
export interface RecordEntry {
  readonly summary: ExecutionSummary;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Of the whole record. */
  readonly bytes: number;
  /** The whole record, as long as it is only here. */
  readonly held?: ExecutionRecord;
  /** Whether some version of it is in the storage. */
  readonly stored: boolean;
  /** Whether this process ran it: else nobody will end it. */
  readonly ours: boolean;
}

const bytesHeld = (entry: RecordEntry | undefined): number =>
  entry?.held === undefined ? 0 : entry.bytes;

/** Remembers runs by identity and in the order in which they began, and keeps the sums of their sizes. */
export class RecordIndex {
  readonly #byId = new Map<string, RecordEntry>();
  /** Oldest first; of two that began together, the one that was put first. */
  #ids: string[] = [];
  #totalBytes = 0;
  #heldBytes = 0;

  get size(): number {
    return this.#byId.size;
  }

  get totalBytes(): number {
    return this.#totalBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get(id: string): RecordEntry | undefined {
    return this.#byId.get(id);
  }

  /** The entry that began first, and is not left out. */
  oldest(isMeant: (entry: RecordEntry) => boolean = () => true): RecordEntry | undefined {
    for (const id of this.#ids) {
      const entry = this.#byId.get(id);
      if (entry !== undefined && isMeant(entry)) return entry;
    }
    return undefined;
  }

  *entries(): Iterable<RecordEntry> {
    yield* this.#byId.values();
  }

  set(entry: RecordEntry): void {
    const id = entry.summary.execution_id;
    const before = this.#byId.get(id);
    if (before !== undefined && before.startedAt !== entry.startedAt) this.remove(id);
    if (!this.#byId.has(id)) this.#ids.splice(this.#placeOf(entry), 0, id);
    this.#count(this.#byId.get(id), -1);
    this.#byId.set(id, entry);
    this.#count(entry, 1);
  }

  remove(id: string): void {
    const entry = this.#byId.get(id);
    if (entry === undefined) return;
    this.#count(entry, -1);
    this.#byId.delete(id);
    this.#ids.splice(this.#ids.indexOf(id), 1);
  }

  /** Newest first. */
  page(query: ExecutionListQuery): ExecutionListPage {
    const executions: ExecutionSummary[] = [];
    let total = 0;
    for (let at = this.#ids.length - 1; at >= 0; at -= 1) {
      const summary = this.#byId.get(this.#ids[at] ?? '')?.summary;
      if (summary === undefined || !matchesQuery(summary, query)) continue;
      if (total >= query.offset && executions.length < query.limit) executions.push(summary);
      total += 1;
    }
    return { executions, total };
  }

  /** Runs are put as they begin, so that the place is nearly always the last one. */
  #placeOf({ startedAt }: RecordEntry): number {
    let place = this.#ids.length;
    while (place > 0 && this.#startOf(place - 1) > startedAt) place -= 1;
    return place;
  }

  #startOf(place: number): number {
    return this.#byId.get(this.#ids[place] ?? '')?.startedAt ?? 0;
  }

  #count(entry: RecordEntry | undefined, sign: 1 | -1): void {
    this.#totalBytes += sign * (entry?.bytes ?? 0);
    this.#heldBytes += sign * bytesHeld(entry);
  }
}
