import { createHash } from 'node:crypto';
import {
  API_VERSION,
  type ExecutionRecord,
  toExecutionSpec,
  parseExecutionRecord,
  parseExecution,
  WORKFLOW_EXECUTION_KIND,
} from '@gateway/crd-schemas';
import {
  type ApiConnection,
  type ApiFailure,
  type ApiKind,
  applyObject,
  isNotFound,
  isObjectName,
  type Leadership,
  listObjects,
  ObjectInformer,
  formatObjectPath,
  type VersionedObject,
  parseVersionedObject,
} from '@gateway/kube-client';
import { formatFailureSentence } from './failure-sentence.ts';
import type { RecordBlobs, SharedBlobs, SharedBlobsListener } from '@gateway/call-contract';

/** The gateway whose runs are stored. */
export interface ExecutionOrigin {
  readonly apiGroup: string;
  /** The namespace of the objects. */
  readonly namespace: string;
  /** The Lease that the replicas of the gateway share: it distinguishes gateways of one namespace. */
  readonly lease: string;
}

/** Returns the kind of records of runs in an API group. @spec §1.5, §9.1 */
export const createExecutionKind = (group: string): ApiKind => ({
  kind: WORKFLOW_EXECUTION_KIND,
  resource: 'workflowexecutions',
  group,
  version: API_VERSION,
});

/** The most bytes of the metadata of a record as JSON; the gateway writes about 1 KiB. */
const MAX_METADATA_BYTES = 32_768;

const LABEL_VALUE = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const HASH_CHARS = 32;

const toLabelValue = (text: string): string =>
  LABEL_VALUE.test(text)
    ? text
    : createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARS);

const formatLeaseLabel = ({ apiGroup }: ExecutionOrigin): string => `${apiGroup}/lease`;
const formatStatusLabel = ({ apiGroup }: ExecutionOrigin): string => `${apiGroup}/status`;
const formatSummaryAnnotation = ({ apiGroup }: ExecutionOrigin): string => `${apiGroup}/summary`;

/** The name of the annotation with the time at which the process of a run in progress last reported. */
const formatRenewalAnnotation = ({ apiGroup }: Pick<ExecutionOrigin, 'apiGroup'>): string =>
  `${apiGroup}/renewed-at`;

/** Returns the label selector of the runs of a gateway. */
const formatExecutionSelector = (origin: ExecutionOrigin): string =>
  `${formatLeaseLabel(origin)}=${toLabelValue(origin.lease)}`;

const parseRecord = (text: string): ExecutionRecord | undefined => {
  const parsed = parseExecutionRecord(JSON.parse(text));
  return parsed.ok ? parsed.value : undefined;
};

/** Returns the fields of the object of a run. */
const toExecutionFields = (record: ExecutionRecord, summary: string, origin: ExecutionOrigin) => ({
  metadata: {
    labels: {
      'app.kubernetes.io/managed-by': 'gateway',
      [formatLeaseLabel(origin)]: toLabelValue(origin.lease),
      [`${origin.apiGroup}/workflow`]: toLabelValue(record.workflow_name),
      [formatStatusLabel(origin)]: record.status,
    },
    annotations: { [formatSummaryAnnotation(origin)]: summary },
  },
  spec: toExecutionSpec(record),
});

/** Returns the text of the record in an object; an empty one when it has none. */
const formatExecution = ({ object }: VersionedObject): string => {
  const parsed = parseExecution(object.metadata.name, object.spec);
  return parsed.ok ? JSON.stringify(parsed.value) : '';
};

/** Returns whether an object belongs to a gateway. */
const hasOrigin = (origin: ExecutionOrigin, { object }: VersionedObject): boolean =>
  object.metadata.labels?.[formatLeaseLabel(origin)] === toLabelValue(origin.lease);

/** Returns the summary of the run of an object; an empty one when it has none. */
const readSummary = (origin: ExecutionOrigin, { object }: VersionedObject): string =>
  object.metadata.annotations?.[formatSummaryAnnotation(origin)] ?? '';

const isInProgress = (origin: ExecutionOrigin, { object }: VersionedObject): boolean =>
  object.metadata.labels?.[formatStatusLabel(origin)] === 'inprogress';

/** Returns an object without its record: what a list of metadata has. */
const keepMetadata = ({ object, revision }: VersionedObject): VersionedObject => ({
  object: { metadata: object.metadata },
  revision,
});

/** Times of following runs, in milliseconds. */
export interface FollowerTiming {
  /** The time for which changes are collected. */
  readonly gatherMs: number;
  readonly renewMs: number;
  /** The time without a renewal after which a run has been abandoned by its process. */
  readonly abandonedMs: number;
  /** The time between two checks of both. */
  readonly checkMs: number;
}

const TIMING: FollowerTiming = {
  gatherMs: 50,
  renewMs: 20_000,
  abandonedMs: 90_000,
  checkMs: 5_000,
};

/** The dependencies of runs as objects. */
export interface ExecutionObjectsOptions extends ExecutionOrigin {
  readonly connection: ApiConnection;
  /** The process that leads deletes old records, and ends those of processes that have stopped. */
  readonly leadership: Leadership;
  readonly timing?: Partial<FollowerTiming>;
}

/** The version of a run in progress, and when this process saw it first. */
interface Seen {
  readonly revision: string;
  readonly at: number;
}

/** A failure of a storage. A final one is about the record, so that a repetition fails as well. */
class RecordError extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

const FINAL = [400, 413, 422];

const isFinal = (failure: ApiFailure): boolean =>
  failure.kind === 'refused' && FINAL.includes(failure.status);

/**
 * Stores the records of runs as `WorkflowExecution` objects in the namespace of the gateway. The metadata of an object has what lists show, so
 * that replicas follow the metadata only. A record that a process has written is renewed until its run ends. The process that leads ends the
 * records that no process renews; only its own clock counts, so that clocks of machines may differ. Sends nothing before it is used.
 */
export class ExecutionObjects implements Required<RecordBlobs> {
  readonly #options: ExecutionObjectsOptions;
  readonly #timing: FollowerTiming;
  readonly #kind: ApiKind;
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

  constructor(options: ExecutionObjectsOptions) {
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
    this.#kind = createExecutionKind(options.apiGroup);
  }

  readonly shared: SharedBlobs = {
    follow: (listener) => this.#follow(listener),
    report: () => {
      this.#reported = new Map();
      this.#compare();
    },
    close: () => {
      this.#stopFollowing();
      this.#informer?.stop();
      clearTimeout(this.#gathering);
      clearInterval(this.#checking);
      this.#listener = undefined;
    },
  };

  readonly list = async (): Promise<readonly string[]> => {
    const { connection } = this.#options;
    const listed = await listObjects(connection, this.#metadataRequest());
    if (!listed.ok) throw this.#error(listed.failure, 'list');
    return listed.value.objects.map(({ object }) => object.metadata.name);
  };

  readonly read = async (id: string): Promise<string | undefined> => {
    const object = await this.#get(id);
    return object === undefined ? undefined : formatExecution(object);
  };

  readonly write = async (id: string, text: string, summary: string): Promise<void> => {
    if (!isObjectName(id)) throw new RecordError('not an id that a record can have', true);
    const record = parseRecord(text);
    if (record === undefined) throw new RecordError(`the text ${id} is not a record`, true);
    const written = await this.#apply(id, toExecutionFields(record, summary, this.#options));
    this.#takeWritten(written, record.status === 'inprogress');
  };

  readonly remove = async (id: string): Promise<void> => {
    const { connection, leadership, namespace } = this.#options;
    if (!isObjectName(id) || !leadership.isLeader()) return;
    const key = { namespace, name: id };
    const path = formatObjectPath(this.#kind, key);
    const removed = await connection.send({ method: 'DELETE', path });
    if (!removed.ok && !isNotFound(removed.failure, this.#kind, key))
      throw this.#error(removed.failure, 'delete', id);
    const known = this.#find(id);
    if (known !== undefined) this.#informer?.remove(known);
  };

  #metadataRequest() {
    return {
      kind: this.#kind,
      namespace: this.#options.namespace,
      part: 'metadata',
      maxObjectBytes: MAX_METADATA_BYTES,
      selector: { labelSelector: formatExecutionSelector(this.#options) },
    } as const;
  }

  async #get(id: string): Promise<VersionedObject | undefined> {
    const { connection, namespace } = this.#options;
    if (!isObjectName(id)) return undefined;
    const key = { namespace, name: id };
    const path = formatObjectPath(this.#kind, key);
    const read = await connection.send({ method: 'GET', path });
    if (!read.ok) {
      if (isNotFound(read.failure, this.#kind, key)) return undefined;
      throw this.#error(read.failure, 'read', id);
    }
    const object = parseVersionedObject(read.value, this.#kind);
    return object !== undefined && hasOrigin(this.#options, object) ? object : undefined;
  }

  /** Writes an object, only in this version when one is given. */
  async #apply(
    id: string,
    { metadata, spec }: ReturnType<typeof toExecutionFields>,
    revision?: string,
  ): Promise<VersionedObject> {
    const { connection, namespace } = this.#options;
    const written = await applyObject(connection, {
      kind: this.#kind,
      key: { namespace, name: id },
      isForced: true,
      fieldManager: connection.fieldManager,
      fields: {
        metadata: revision === undefined ? metadata : { ...metadata, resourceVersion: revision },
        spec,
      },
    });
    if (!written.ok) throw this.#error(written.failure, 'write', id);
    return keepMetadata(written.value);
  }

  #error(failure: ApiFailure, verb: string, name?: string): RecordError {
    const { namespace } = this.#options;
    const place = name === undefined ? { namespace } : { namespace, name };
    const sentence = formatFailureSentence(failure, { verb, kind: this.#kind, ...place });
    return new RecordError(sentence, isFinal(failure));
  }

  async #follow(listener: SharedBlobsListener): Promise<void> {
    const { connection, namespace, leadership } = this.#options;
    this.#listener = listener;
    const informer = new ObjectInformer(connection, {
      ...this.#metadataRequest(),
      onChange: () => {
        this.#gather();
      },
      onFailure: (failure, verb) => {
        const facts = { verb, kind: this.#kind, namespace };
        listener.onFailure(new Error(formatFailureSentence(failure, facts)));
      },
      onRecovery: listener.onRecovery,
    });
    this.#informer = informer;
    this.#checking = setInterval(() => void this.#check(), this.#timing.checkMs).unref();
    this.#stopFollowing = leadership.onChange((isLeader) => {
      if (!isLeader) return;
      // While no process led, the API may have been away, so that no run was renewed.
      this.#seen = new Map();
      this.shared.report();
    });
    await informer.waitForSync();
    this.#compare();
  }

  /** Takes the answer to a write of this process. */
  #takeWritten(object: VersionedObject, isOpen: boolean): void {
    const { name } = object.object.metadata;
    if (isOpen) this.#own.set(name, performance.now());
    else this.#own.delete(name);
    this.#informer?.add(object);
  }

  #find(id: string): VersionedObject | undefined {
    return this.#informer?.get({ namespace: this.#options.namespace, name: id });
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
      summary: readSummary(this.#options, object),
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
    const { connection, namespace, apiGroup } = this.#options;
    const now = performance.now();
    for (const [id, at] of this.#own) {
      const known = this.#find(id);
      if (known === undefined || now - at < this.#timing.renewMs) continue;
      const annotations = { [formatRenewalAnnotation({ apiGroup })]: new Date().toISOString() };
      const renewed = await applyObject(connection, {
        kind: this.#kind,
        key: { namespace, name: id },
        isForced: true,
        // A manager of its own: an apply removes the other fields of its manager.
        fieldManager: `${connection.fieldManager}-renewals`,
        // With a version, so that a deleted record is not created again.
        fields: { metadata: { annotations, resourceVersion: known.revision } },
      });
      if (renewed.ok && this.#own.has(id)) this.#takeWritten(keepMetadata(renewed.value), true);
    }
  }

  async #endAbandoned(): Promise<void> {
    if (!this.#options.leadership.isLeader()) return;
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
      const { revision } = object;
      if (this.#own.has(id) || !isInProgress(this.#options, object)) continue;
      const known = this.#seen.get(id);
      seen.set(id, known?.revision === revision ? known : { revision, at: now });
    }
    return seen;
  }

  /** Ends the record of an abandoned run, unless its object has changed. A failure is tried again in the next check. */
  async #end(id: string, revision: string): Promise<void> {
    try {
      const object = await this.#get(id);
      if (object?.revision !== revision) return;
      const ended = this.#listener?.endRecord(id, formatExecution(object));
      const record = ended && parseRecord(ended.text);
      if (ended === undefined || record === undefined) return;
      const fields = toExecutionFields(record, ended.summary, this.#options);
      this.#takeWritten(await this.#apply(id, fields, revision), false);
    } catch {
      // Another process was faster, or the API is away: the next check tries again.
    }
  }
}
