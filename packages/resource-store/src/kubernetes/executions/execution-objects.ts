import {
  applyObject,
  isNotFound,
  isObjectName,
  listObjects,
  objectPath,
  versionedObjectOf,
  type ApiFailure,
  type ApiKind,
  type VersionedObject,
} from '@gateway/kube-client';
import type { RecordBlobs } from '../../port/record-blobs.ts';
import { failureSentence } from '../failure-sentence.ts';
import { ExecutionFollower, type ExecutionObjectsOptions } from './execution-follower.ts';
import {
  executionFields,
  executionKind,
  executionSelector,
  isExecutionOf,
  MAX_METADATA_BYTES,
  metadataOf,
  recordInText,
  textOfExecution,
} from './execution-object.ts';

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
 * that replicas follow the metadata only. A record that a process has written is renewed until its run ends.
 */
class ExecutionObjects implements RecordBlobs {
  readonly #options: ExecutionObjectsOptions;
  readonly #kind: ApiKind;
  readonly shared: ExecutionFollower;

  constructor(options: ExecutionObjectsOptions) {
    this.#options = options;
    this.#kind = executionKind(options.apiGroup);
    this.shared = new ExecutionFollower({
      ...{ options, kind: this.#kind },
      get: (id) => this.#get(id),
      apply: (id, fields) => this.#apply(id, fields),
    });
  }

  readonly list = async (): Promise<readonly string[]> => {
    const { connection, namespace } = this.#options;
    const listed = await listObjects(connection, {
      ...{ kind: this.#kind, namespace, part: 'metadata', maxObjectBytes: MAX_METADATA_BYTES },
      selector: { labelSelector: executionSelector(this.#options) },
    });
    if (!listed.ok) throw this.#error(listed.failure, 'list');
    return listed.value.objects.map(({ object }) => object.metadata.name);
  };

  readonly read = async (id: string): Promise<string | undefined> => {
    const object = await this.#get(id);
    return object === undefined ? undefined : textOfExecution(object);
  };

  readonly write = async (id: string, text: string, summary: string): Promise<void> => {
    if (!isObjectName(id)) throw new RecordError('not an id that a record can have', true);
    const record = recordInText(text);
    if (record === undefined) throw new RecordError(`the text ${id} is not a record`, true);
    const written = await this.#apply(id, executionFields(record, summary, this.#options));
    this.shared.wrote(written, record.status === 'inprogress');
  };

  readonly remove = async (id: string): Promise<void> => {
    const { connection, leadership, namespace } = this.#options;
    if (!isObjectName(id) || !leadership.isLeader()) return;
    const key = { namespace, name: id };
    const path = objectPath(this.#kind, key);
    const removed = await connection.send({ method: 'DELETE', path });
    if (!removed.ok && !isNotFound(removed.failure, this.#kind, key))
      throw this.#error(removed.failure, 'delete', id);
    this.shared.removed(id);
  };

  /** Returns an object of this gateway. */
  async #get(id: string): Promise<VersionedObject | undefined> {
    const { connection, namespace } = this.#options;
    if (!isObjectName(id)) return undefined;
    const key = { namespace, name: id };
    const path = objectPath(this.#kind, key);
    const read = await connection.send({ method: 'GET', path });
    if (!read.ok) {
      if (isNotFound(read.failure, this.#kind, key)) return undefined;
      throw this.#error(read.failure, 'read', id);
    }
    const object = versionedObjectOf(read.value, this.#kind);
    return object !== undefined && isExecutionOf(this.#options, object) ? object : undefined;
  }

  async #apply(
    id: string,
    fields: ReturnType<typeof executionFields> & { readonly revision?: string },
  ): Promise<VersionedObject> {
    const { connection, namespace } = this.#options;
    const { revision, metadata, spec } = fields;
    const written = await applyObject(connection, {
      ...{ kind: this.#kind, key: { namespace, name: id }, isForced: true },
      fieldManager: connection.fieldManager,
      fields: {
        metadata: revision === undefined ? metadata : { ...metadata, resourceVersion: revision },
        spec,
      },
    });
    if (!written.ok) throw this.#error(written.failure, 'write', id);
    return metadataOf(written.value);
  }

  #error(failure: ApiFailure, verb: string, name?: string): RecordError {
    const { namespace } = this.#options;
    const place = name === undefined ? { namespace } : { namespace, name };
    const sentence = failureSentence(failure, { verb, kind: this.#kind, ...place });
    return new RecordError(sentence, isFinal(failure));
  }
}

/** Returns the records of runs as objects of a cluster. Sends nothing before it is used. */
export const executionObjects = (options: ExecutionObjectsOptions): RecordBlobs =>
  new ExecutionObjects(options);
