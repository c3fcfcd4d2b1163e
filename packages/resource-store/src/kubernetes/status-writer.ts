import {
  applyObject,
  hasStatus,
  isNotFound,
  type ApiConnection,
  type ApiFailure,
  type VersionedObject,
} from '@gateway/kube-client';
import type { ResourceKind } from '../port/resource-key.ts';
import type {
  ResourceStatusWriter,
  StatusByKind,
  StatusReference,
  StatusWriteOptions,
  StatusWriteResult,
} from '../port/resource-status.ts';
import type { DefinitionKinds } from './definition-kinds.ts';
import { failureSentence } from './failure-sentence.ts';
import { statusBody } from './status-body.ts';
import { isDue, oldestAttempts, type ComparedObjects } from './status-comparison.ts';
import { entryId, newEntry, type StatusEntry } from './status-entry.ts';

type Status = StatusByKind[ResourceKind];

/** The dependencies of writing statuses. */
export interface StatusWriterOptions extends ComparedObjects {
  readonly connection: ApiConnection;
  readonly kinds: DefinitionKinds;
  /** Takes the new version of a written object. */
  readonly onWritten: (kind: ResourceKind, object: VersionedObject) => void;
  /** Reads the current version of an object, after a conflict. */
  readonly reread: (reference: StatusReference) => Promise<void>;
  /** Called once when an object's status cannot be written, until it can. Must not throw. */
  readonly onProblem: (sentence: string) => void;
  /** The time between two writes of one object, in milliseconds; 1,000 when absent. */
  readonly intervalMs?: number;
  /** The time between two writes of fields of attempts alone, of all objects, in milliseconds; 60,000 when absent. */
  readonly refreshMs?: number;
}

/** The maximum number of concurrent writes. */
const MAX_WRITES = 8;
const INTERVAL_MS = 1_000;
const CONFLICT_RETRY_MS = 20;
const MAX_RETRY_MS = 60_000;

const REFRESH_MS = 60_000;
/** An object whose fields of attempts alone have changed is written after this many times of {@link REFRESH_MS}. */
const MIN_REFRESHES = 10;

const DONE: StatusWriteResult = { kind: 'done' };
const MISSING: StatusWriteResult = { kind: 'missing' };
const DEFERRED: StatusWriteResult = { kind: 'deferred' };

/**
 * Writes statuses by server-side apply: only when the object has another one, at most once per object and interval, and only to the version
 * of the object that is known, so that a status is never written to an object that was deleted or created again meanwhile. A failed write
 * is tried again with exponential backoff. Fields that only count attempts are written with the next other change; without one, the object
 * whose fields are the oldest is written once per minute.
 */
export class StatusWriter implements ResourceStatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #entries = new Map<string, StatusEntry>();
  readonly #due = new Set<StatusEntry>();
  readonly #stopFollowing: () => void;
  readonly #refreshing: NodeJS.Timeout;
  #running = 0;
  #isClosed = false;

  constructor(options: StatusWriterOptions) {
    this.#options = options;
    this.#stopFollowing = options.leadership.onChange((isLeader) => {
      if (!isLeader) return;
      for (const entry of this.#entries.values()) entry.compared = undefined;
      this.compare();
    });
    this.#refreshing = setInterval(() => {
      this.#refreshOldest();
    }, options.refreshMs ?? REFRESH_MS).unref();
  }

  readonly writeStatus = <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
    status: StatusByKind[Kind],
    { isProvisional = false }: StatusWriteOptions = {},
  ): Promise<StatusWriteResult> => {
    if (this.#options.objectOf(reference) === undefined) return Promise.resolve(MISSING);
    const entry = this.#entryOf(reference, status);
    entry.status = status;
    entry.isProvisional = isProvisional;
    entry.compared = undefined;
    return new Promise((resolve) => {
      entry.waiting.push(resolve);
      this.#schedule(entry);
    });
  };

  readonly status = <Kind extends ResourceKind>(
    reference: StatusReference<Kind>,
  ): StatusByKind[Kind] | undefined =>
    this.#entries.get(entryId(reference))?.status as StatusByKind[Kind] | undefined;

  /** Compares each changed object with its desired status, and ends the statuses of deleted objects. */
  readonly compare = (): void => {
    for (const entry of this.#entries.values()) {
      const object = this.#options.objectOf(entry.reference);
      if (object === undefined) this.#end(entry, MISSING);
      else if (object !== entry.compared) this.#schedule(entry);
    }
  };

  close(): void {
    this.#isClosed = true;
    this.#stopFollowing();
    clearInterval(this.#refreshing);
    for (const entry of this.#entries.values())
      this.#end(entry, { kind: 'failed', text: 'the store is closed' });
  }

  #entryOf(reference: StatusReference, status: Status): StatusEntry {
    const id = entryId(reference);
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const entry = newEntry(reference, status);
    this.#entries.set(id, entry);
    return entry;
  }

  #end(entry: StatusEntry, result: StatusWriteResult): void {
    clearTimeout(entry.timer);
    this.#due.delete(entry);
    this.#entries.delete(entryId(entry.reference));
    this.#answer(entry, result);
  }

  #answer(entry: StatusEntry, result: StatusWriteResult): void {
    for (const resolve of entry.waiting.splice(0)) resolve(result);
  }

  /** Makes an entry due, at the end of its interval. A running one is scheduled again after its write; one that is due is compared then. */
  #schedule(entry: StatusEntry): void {
    if (this.#isClosed || entry.isRunning || entry.timer !== undefined) return;
    if (this.#due.has(entry)) return;
    const waitMs = isDue(entry, this.#options) ? entry.nextAt - performance.now() : 0;
    if (waitMs <= 0) {
      this.#start(entry);
      return;
    }
    entry.timer = setTimeout(() => {
      entry.timer = undefined;
      this.#start(entry);
    }, waitMs).unref();
  }

  #start(entry: StatusEntry): void {
    this.#due.add(entry);
    this.#startDue();
  }

  #startDue(): void {
    for (const next of this.#due) {
      if (this.#running >= MAX_WRITES) return;
      this.#due.delete(next);
      void this.#run(next);
    }
  }

  async #run(entry: StatusEntry): Promise<void> {
    entry.isRunning = true;
    this.#running += 1;
    const before = entry.status;
    const result = await this.#write(entry);
    this.#running -= 1;
    entry.isRunning = false;
    if (this.#entries.get(entryId(entry.reference)) === entry) {
      const isLatest = entry.status === before;
      if (result !== undefined && isLatest) this.#answer(entry, result);
      if (!isLatest || entry.compared !== this.#options.objectOf(entry.reference))
        this.#schedule(entry);
    }
    this.#startDue();
  }

  /** Writes the fields of attempts of the object that has the oldest ones. */
  #refreshOldest(): void {
    const { refreshMs = REFRESH_MS } = this.#options;
    const before = performance.now() - MIN_REFRESHES * refreshMs;
    const oldest = oldestAttempts(this.#entries.values(), this.#options, before);
    if (oldest === undefined) return;
    oldest.isRefreshed = true;
    this.#schedule(oldest);
  }

  /** Writes once. Returns the result; undefined when the write is repeated at once. */
  async #write(entry: StatusEntry): Promise<StatusWriteResult | undefined> {
    const { connection, kinds, objectOf, onWritten, leadership } = this.#options;
    const { reference, status } = entry;
    const object = objectOf(reference);
    if (object === undefined) {
      this.#end(entry, MISSING);
      return MISSING;
    }
    entry.compared = object;
    if (!leadership.isLeader()) return DEFERRED;
    if (!isDue(entry, this.#options)) return DONE;
    const { namespace, name, kind } = reference;
    const written = await applyObject(connection, {
      ...{ kind: kinds[kind], key: { namespace, name }, fieldManager: connection.fieldManager },
      ...{ isForced: true, subresource: 'status' as const },
      fields: {
        metadata: { resourceVersion: object.revision },
        status: statusBody(status, object, this.#options.generationOf(reference)),
      },
    });
    entry.nextAt = performance.now() + (this.#options.intervalMs ?? INTERVAL_MS);
    if (!written.ok) return this.#failed(entry, written.failure);
    entry.failures = 0;
    entry.isRefreshed = false;
    entry.readAt = performance.now();
    onWritten(kind, written.value);
    entry.compared = objectOf(reference);
    return DONE;
  }

  async #failed(entry: StatusEntry, failure: ApiFailure): Promise<StatusWriteResult | undefined> {
    const { kinds, onProblem, reread } = this.#options;
    const { namespace, name, kind } = entry.reference;
    entry.compared = undefined;
    entry.failures += 1;
    if (isNotFound(failure, kinds[kind], { namespace, name })) {
      await reread(entry.reference);
      return MISSING;
    }
    if (hasStatus(failure, 409)) {
      await reread(entry.reference);
      entry.nextAt = performance.now() + CONFLICT_RETRY_MS * 2 ** Math.min(entry.failures, 6);
      return undefined;
    }
    const facts = { verb: 'write the status of', kind: kinds[kind], namespace, name };
    const text = failureSentence(failure, facts);
    if (entry.failures === 1) onProblem(text);
    entry.nextAt = performance.now() + Math.min(MAX_RETRY_MS, 1_000 * 2 ** entry.failures);
    return { kind: 'failed', text };
  }
}
