import {
  applyObject,
  ObjectInformer,
  type ApiConnection,
  type ApiKind,
  type Leadership,
  type VersionedObject,
} from '@gateway/kube-client';
import type { SharedBlobs, SharedBlobsListener } from '../../port/record-blobs.ts';
import { failureSentence } from '../failure-sentence.ts';
import {
  executionFields,
  executionSelector,
  isInProgress,
  MAX_METADATA_BYTES,
  metadataOf,
  recordInText,
  renewalAnnotation,
  summaryIn,
  textOfExecution,
  type ExecutionOrigin,
} from './execution-object.ts';

/** Times of following runs, in milliseconds. */
export interface FollowerTiming {
  /** The time for which changes are collected. */
  readonly gatherMs: number;
  /** The time after which the record of a run in progress is renewed. */
  readonly renewMs: number;
  /** The time without a renewal after which a run has been abandoned by its process. */
  readonly abandonedMs: number;
  /** The time between two checks of both. */
  readonly checkMs: number;
}

const TIMING: FollowerTiming = {
  ...{ gatherMs: 50, renewMs: 20_000, abandonedMs: 90_000, checkMs: 5_000 },
};

/** The dependencies of runs as objects. */
export interface ExecutionObjectsOptions extends ExecutionOrigin {
  readonly connection: ApiConnection;
  /** The process that leads deletes old records, and ends those of processes that have stopped. */
  readonly leadership: Leadership;
  readonly timing?: Partial<FollowerTiming>;
}

/** The dependencies of a follower. */
export interface ExecutionFollowerOptions {
  readonly options: ExecutionObjectsOptions;
  readonly kind: ApiKind;
  /** Rejects when the object cannot be read. */
  readonly get: (id: string) => Promise<VersionedObject | undefined>;
  /** Writes an object, only in this version when one is given. Rejects when it is not written. */
  readonly apply: (
    id: string,
    fields: ReturnType<typeof executionFields> & { readonly revision?: string },
  ) => Promise<VersionedObject>;
}

/** The version of a run in progress, and when this process saw it first. */
interface Seen {
  readonly revision: string;
  readonly at: number;
}

/** Returns since when a version is known. */
const seenAt = (known: Seen | undefined, revision: string, now: number): Seen =>
  known?.revision === revision ? known : { revision, at: now };

/**
 * Follows the metadata of the runs of all replicas. Renews the records of the runs of this process. The process that leads ends the records
 * of runs that no process renews; only its own clock counts, so that clocks of machines may differ.
 */
export class ExecutionFollower implements SharedBlobs {
  readonly #given: ExecutionFollowerOptions;
  readonly #timing: FollowerTiming;
  /** The runs in progress of this process, and when each was written last. */
  readonly #own = new Map<string, number>();
  #reported = new Map<string, VersionedObject>();
  #seen = new Map<string, Seen>();
  #informer: ObjectInformer | undefined;
  #listener: SharedBlobsListener | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #checking: NodeJS.Timeout | undefined;
  #isBusy = false;
  #stopFollowing = (): void => undefined;

  constructor(given: ExecutionFollowerOptions) {
    this.#given = given;
    this.#timing = { ...TIMING, ...given.options.timing };
  }

  readonly follow = async (listener: SharedBlobsListener): Promise<void> => {
    const { options, kind } = this.#given;
    const { connection, namespace, leadership } = options;
    this.#listener = listener;
    const informer = new ObjectInformer(connection, {
      ...{ kind, namespace, part: 'metadata', maxObjectBytes: MAX_METADATA_BYTES },
      selector: { labelSelector: executionSelector(options) },
      onChange: () => {
        this.#gather();
      },
      onFailure: (failure, verb) => {
        listener.onFailure(new Error(failureSentence(failure, { verb, kind, namespace })));
      },
      onRecovery: listener.onRecovery,
    });
    this.#informer = informer;
    this.#checking = setInterval(() => void this.#check(), this.#timing.checkMs).unref();
    this.#stopFollowing = leadership.onChange((isLeader) => {
      if (!isLeader) return;
      // While no process led, the API may have been away, so that no run was renewed.
      this.#seen = new Map();
      this.report();
    });
    await informer.synced();
    this.#compare();
  };

  readonly report = (): void => {
    this.#reported = new Map();
    this.#compare();
  };

  readonly close = (): void => {
    this.#stopFollowing();
    this.#informer?.stop();
    clearTimeout(this.#gathering);
    clearInterval(this.#checking);
    this.#listener = undefined;
  };

  /** Takes the answer to a write of this process. */
  wrote(object: VersionedObject, isOpen: boolean): void {
    const { name } = object.object.metadata;
    if (isOpen) this.#own.set(name, performance.now());
    else this.#own.delete(name);
    this.#informer?.add(object);
  }

  /** Takes a deletion by this process. */
  removed(id: string): void {
    const known = this.#known(id);
    if (known !== undefined) this.#informer?.remove(known);
  }

  #known(id: string): VersionedObject | undefined {
    return this.#informer?.get({ namespace: this.#given.options.namespace, name: id });
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#compare();
    }, this.#timing.gatherMs).unref();
  }

  /** Reports what has changed since the last report. */
  #compare(): void {
    const objects = this.#informer?.objects() ?? [];
    const before = this.#reported;
    this.#reported = new Map(objects.map((object) => [object.object.metadata.name, object]));
    const changed = objects.filter((object) => before.get(object.object.metadata.name) !== object);
    const stored = changed.map((object) => ({
      id: object.object.metadata.name,
      summary: summaryIn(this.#given.options, object),
    }));
    const removed = [...before.keys()].filter((id) => !this.#reported.has(id));
    if (removed.length > 0) this.#listener?.onRemoved(removed);
    if (stored.length > 0) this.#listener?.onStored(stored);
  }

  async #check(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await this.#renew();
      await this.#endAbandoned();
    } finally {
      this.#isBusy = false;
    }
  }

  async #renew(): Promise<void> {
    const { connection, namespace, apiGroup } = this.#given.options;
    const now = performance.now();
    for (const [id, at] of this.#own) {
      const known = this.#known(id);
      if (known === undefined || now - at < this.#timing.renewMs) continue;
      const annotations = { [renewalAnnotation({ apiGroup })]: new Date().toISOString() };
      const renewed = await applyObject(connection, {
        ...{ kind: this.#given.kind, key: { namespace, name: id }, isForced: true },
        // A manager of its own: an apply removes the other fields of its manager.
        fieldManager: `${connection.fieldManager}-renewals`,
        // With a version, so that a deleted record is not created again.
        fields: { metadata: { annotations, resourceVersion: known.revision } },
      });
      if (!renewed.ok || !this.#own.has(id)) continue;
      this.wrote(metadataOf(renewed.value), true);
    }
  }

  async #endAbandoned(): Promise<void> {
    if (!this.#given.options.leadership.isLeader()) return;
    const now = performance.now();
    this.#seen = this.#inProgress(now);
    for (const [id, { revision, at }] of this.#seen)
      if (now - at >= this.#timing.abandonedMs) await this.#end(id, revision);
  }

  /** Returns the runs in progress of other processes, each with the time at which its current version was seen first. */
  #inProgress(now: number): Map<string, Seen> {
    const seen = new Map<string, Seen>();
    for (const object of this.#informer?.objects() ?? []) {
      const id = object.object.metadata.name;
      if (this.#own.has(id) || !isInProgress(this.#given.options, object)) continue;
      seen.set(id, seenAt(this.#seen.get(id), object.revision, now));
    }
    return seen;
  }

  /** Ends the record of an abandoned run, unless its object has changed. A failure is tried again in the next check. */
  async #end(id: string, revision: string): Promise<void> {
    const { options, get, apply } = this.#given;
    try {
      const object = await get(id);
      if (object?.revision !== revision) return;
      const ended = this.#listener?.ended(id, textOfExecution(object));
      const record = ended && recordInText(ended.text);
      if (ended === undefined || record === undefined) return;
      const fields = executionFields(record, ended.summary, options);
      this.wrote(await apply(id, { ...fields, revision }), false);
    } catch {
      // Another process was faster, or the API is away: the next check tries again.
    }
  }
}
