import { isDeepStrictEqual } from 'node:util';
import { computeBackoffDelay, type Backoff } from '@gateway/call-contract';
import type { StatusCondition, ResourceKind } from '@gateway/crd-schemas';
import {
  type ApiConnection,
  type ApiFailure,
  applyObject,
  toFields,
  hasStatus,
  isNotFound,
  type Leadership,
  type VersionedObject,
} from '@gateway/kube-client';
import { formatFailureSentence } from './failure-sentence.ts';
import type { DefinitionKinds } from './followed-definitions.ts';
import { formatObjectSource } from './interpret-object.ts';
import type {
  ResourceStatusWriter,
  StatusByKind,
  StatusReference,
  StatusWriteOptions,
  StatusWriteResult,
} from '../port/resource-store.ts';

/** The status that an object should have. */
export interface StatusEntry {
  readonly reference: StatusReference;
  status: StatusByKind[ResourceKind];
  /** The status is written only to an object without one about its definition. */
  isProvisional: boolean;
  /** The version of the object whose status was compared last. */
  compared: VersionedObject | undefined;
  nextAt: number;
  /** The time of the last write, or of the first comparison of this process. */
  readAt: number;
  /** Fields of attempts are written too. */
  isRefreshed: boolean;
  failures: number;
  timer: NodeJS.Timeout | undefined;
  isRunning: boolean;
  waiting: ((result: StatusWriteResult) => void)[];
}

/** Returns the key of an entry. */
const formatEntryId = (reference: StatusReference): string =>
  `${reference.kind}/${formatObjectSource(reference)}`;

/** Returns the entry of an object that has none. */
const createEntry = (
  { kind, namespace, name }: StatusReference,
  status: StatusByKind[ResourceKind],
): StatusEntry => ({
  reference: { kind, namespace, name },
  status,
  isProvisional: false,
  compared: undefined,
  nextAt: 0,
  readAt: performance.now(),
  isRefreshed: false,
  failures: 0,
  timer: undefined,
  isRunning: false,
  waiting: [],
});

type Fields = Readonly<Record<string, unknown>>;

const listConditions = (status: unknown): readonly Fields[] => {
  const { conditions } = toFields(status);
  return Array.isArray(conditions) ? conditions.map(toFields) : [];
};

/**
 * Returns a status as the API stores it: conditions name the generation that they are about, and a condition that has not changed has the
 * time of its last transition, also when another process wrote it.
 *
 * @param generation that of the definition that the status is about
 */
const toStatusBody = (
  status: Status,
  { object }: VersionedObject,
  generation: number | undefined,
): Fields => {
  const before = listConditions(object.status);
  const conditions = status.conditions.map((condition: StatusCondition) => {
    const known = before.find(({ type }) => type === condition.type);
    const isSame = known?.['status'] === condition.status;
    return {
      ...condition,
      ...(isSame ? { lastTransitionTime: known['lastTransitionTime'] } : {}),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
  });
  return JSON.parse(JSON.stringify({ ...status, conditions })) as Record<string, unknown>;
};

const hasGenerationStatus = (
  { object }: VersionedObject,
  generation: number | undefined,
): boolean => {
  const [first] = listConditions(object.status);
  return first !== undefined && first['observedGeneration'] === generation;
};

/** Fields that change with each attempt to connect to a server that stays away. */
const ATTEMPT_FIELDS = ['consecutiveFailures', 'lastAttempt', 'nextRetryAfter', 'restartCount'];

/** The difference between two statuses: none, in fields of attempts only, or in others. */
export type StatusDifference = 'none' | 'attempts' | 'other';

const withoutAttempts = (status: Fields): Fields =>
  Object.fromEntries(Object.entries(status).filter(([name]) => !ATTEMPT_FIELDS.includes(name)));

/** Returns how two statuses differ. */
const compareStatuses = (stored: unknown, wanted: Fields): StatusDifference => {
  if (isDeepStrictEqual(stored, wanted)) return 'none';
  return isDeepStrictEqual(withoutAttempts(toFields(stored)), withoutAttempts(wanted))
    ? 'attempts'
    : 'other';
};

export interface ComparedObjects {
  /** Returns the last known version of an object; undefined when it does not exist. */
  readonly findObject: (reference: StatusReference) => VersionedObject | undefined;
  /** Returns the generation of the definition that the present statuses are about. */
  readonly findGeneration: (reference: StatusReference) => number | undefined;
  /** The process that leads writes the statuses of all. */
  readonly leadership: Leadership;
}

/** Returns how the status of an object differs from its entry; none when this process does not write it. */
const compareEntry = (
  { reference, status, isProvisional }: StatusEntry,
  { findObject, findGeneration, leadership }: ComparedObjects,
): StatusDifference => {
  const object = findObject(reference);
  if (object === undefined || !leadership.isLeader()) return 'none';
  const generation = findGeneration(reference);
  if (isProvisional && hasGenerationStatus(object, generation)) return 'none';
  return compareStatuses(object.object.status, toStatusBody(status, object, generation));
};

/** Returns whether this process writes the status of an object at the end of its interval. */
const isDue = (entry: StatusEntry, objects: ComparedObjects): boolean => {
  const difference = compareEntry(entry, objects);
  return difference === 'other' || (difference === 'attempts' && entry.isRefreshed);
};

/** Returns the object with the oldest fields of attempts; undefined when none is from before a time. */
const findOldestAttempts = (
  entries: Iterable<StatusEntry>,
  objects: ComparedObjects,
  before: number,
): StatusEntry | undefined =>
  [...entries]
    .filter(({ readAt }) => readAt <= before)
    .sort((a, b) => a.readAt - b.readAt)
    .find((entry) => compareEntry(entry, objects) === 'attempts');

type Status = StatusByKind[ResourceKind];

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
const CONFLICT_RETRIES: Backoff = { firstMs: 40, maxMs: 1_280 };
const RETRIES: Backoff = { firstMs: 2_000, maxMs: 60_000 };

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
    if (this.#options.findObject(reference) === undefined) return Promise.resolve(MISSING);
    const entry = this.#ensureEntry(reference, status);
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
    this.#entries.get(formatEntryId(reference))?.status as StatusByKind[Kind] | undefined;

  /** Compares each changed object with its desired status, and ends the statuses of deleted objects. */
  readonly compare = (): void => {
    for (const entry of this.#entries.values()) {
      const object = this.#options.findObject(entry.reference);
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

  #ensureEntry(reference: StatusReference, status: Status): StatusEntry {
    const id = formatEntryId(reference);
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const entry = createEntry(reference, status);
    this.#entries.set(id, entry);
    return entry;
  }

  #end(entry: StatusEntry, result: StatusWriteResult): void {
    clearTimeout(entry.timer);
    this.#due.delete(entry);
    this.#entries.delete(formatEntryId(entry.reference));
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
    if (this.#entries.get(formatEntryId(entry.reference)) === entry) {
      const isLatest = entry.status === before;
      if (result !== undefined && isLatest) this.#answer(entry, result);
      if (!isLatest || entry.compared !== this.#options.findObject(entry.reference))
        this.#schedule(entry);
    }
    this.#startDue();
  }

  /** Writes the fields of attempts of the object that has the oldest ones. */
  #refreshOldest(): void {
    const { refreshMs = REFRESH_MS } = this.#options;
    const before = performance.now() - MIN_REFRESHES * refreshMs;
    const oldest = findOldestAttempts(this.#entries.values(), this.#options, before);
    if (oldest === undefined) return;
    oldest.isRefreshed = true;
    this.#schedule(oldest);
  }

  /** Writes once. Returns the result; undefined when the write is repeated at once. */
  async #write(entry: StatusEntry): Promise<StatusWriteResult | undefined> {
    const { connection, kinds, findObject, onWritten, leadership } = this.#options;
    const { reference, status } = entry;
    const object = findObject(reference);
    if (object === undefined) {
      this.#end(entry, MISSING);
      return MISSING;
    }
    entry.compared = object;
    if (!leadership.isLeader()) return DEFERRED;
    if (!isDue(entry, this.#options)) return DONE;
    const { namespace, name, kind } = reference;
    const written = await applyObject(connection, {
      kind: kinds[kind],
      key: { namespace, name },
      fieldManager: connection.fieldManager,
      isForced: true,
      subresource: 'status' as const,
      fields: {
        metadata: { resourceVersion: object.revision },
        status: toStatusBody(status, object, this.#options.findGeneration(reference)),
      },
    });
    entry.nextAt = performance.now() + (this.#options.intervalMs ?? INTERVAL_MS);
    if (!written.ok) return this.#handleFailure(entry, written.failure);
    entry.failures = 0;
    entry.isRefreshed = false;
    entry.readAt = performance.now();
    onWritten(kind, written.value);
    entry.compared = findObject(reference);
    return DONE;
  }

  async #handleFailure(
    entry: StatusEntry,
    failure: ApiFailure,
  ): Promise<StatusWriteResult | undefined> {
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
      entry.nextAt = performance.now() + computeBackoffDelay(entry.failures - 1, CONFLICT_RETRIES);
      return undefined;
    }
    const facts = { verb: 'write the status of', kind: kinds[kind], namespace, name };
    const text = formatFailureSentence(failure, facts);
    if (entry.failures === 1) onProblem(text);
    entry.nextAt = performance.now() + computeBackoffDelay(entry.failures - 1, RETRIES);
    return { kind: 'failed', text };
  }
}
