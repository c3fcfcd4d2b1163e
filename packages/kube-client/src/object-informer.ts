import type { ApiConnection } from './api-connection.ts';
import {
  type ApiKind,
  toBoundedObject,
  isLaterRevision,
  type ObjectKey,
  type VersionedObject,
} from './api-object.ts';
import type { ApiFailure, ApiResult } from './api-result.ts';
import { type FollowedObjects, ObjectListWatch, type ObjectEvent } from './list-watch.ts';
import { listObjects, type ObjectList } from './object-requests.ts';

/** The number of deleted objects that are remembered, so that a late event does not restore them. */
const MAX_DELETED = 10_000;

/** The objects to follow, and the callbacks. */
interface InformerRequest {
  readonly kind: ApiKind;
  readonly namespace: string;
  /** Called for each change. Must not throw. */
  readonly onChange: (name: string, change: 'written' | 'deleted') => void;
  /** Called once per outage, when the second attempt fails. Must not throw. */
  readonly onFailure: (failure: ApiFailure, verb: 'list' | 'watch') => void;
}

/**
 * Reports the names of changed objects of a kind in a namespace. After a new list, compares the versions with the known ones, so that no
 * change is missed.
 */
export class Informer {
  readonly #request: InformerRequest;
  readonly #listWatch: ObjectListWatch;
  #revisions: Map<string, string> | undefined;

  constructor(connection: ApiConnection, request: InformerRequest) {
    this.#request = request;
    const { kind, namespace, onChange, onFailure } = request;
    this.#listWatch = new ObjectListWatch(
      connection,
      { kind, namespace },
      {
        onList: (list) => this.#replace(list),
        onEvent: ({ kind: change, object: { object, revision } }) => {
          const { name } = object.metadata;
          if (change === 'written') this.#revisions?.set(name, revision);
          else this.#revisions?.delete(name);
          onChange(name, change);
        },
        onFailure,
        onProgress: () => undefined,
      },
    );
  }

  /** Resolves when changes from now on are reported, or when the first attempt has failed. */
  async waitForSync(): Promise<void> {
    await this.#listWatch.waitForSync();
  }

  /** Stops without further callbacks. */
  stop(): void {
    this.#listWatch.stop();
  }

  #replace({ objects }: ObjectList): void {
    const now = new Map(objects.map(({ object, revision }) => [object.metadata.name, revision]));
    const before = this.#revisions;
    this.#revisions = now;
    if (before === undefined) return;
    const { onChange } = this.#request;
    for (const [name, revision] of now)
      if (before.get(name) !== revision) onChange(name, 'written');
    for (const name of before.keys()) if (!now.has(name)) onChange(name, 'deleted');
  }
}

/** The objects to follow, and the callbacks, which must not throw. */
export interface ObjectInformerRequest extends FollowedObjects {
  /** Called after each change of the objects. */
  readonly onChange: () => void;
  /** Called once per outage, when the second attempt fails. */
  readonly onFailure: (failure: ApiFailure, verb: 'list' | 'watch') => void;
  /** Called when the API answers again after a failure that was reported. */
  readonly onRecovery: () => void;
  /** Returns the part of an object that is kept in memory, with its identity; all of it when absent. */
  readonly keep?: (object: VersionedObject) => VersionedObject;
}

const formatId = ({ namespace, name }: ObjectKey): string => `${namespace}/${name}`;

const readUid = ({ object }: VersionedObject): unknown => object.metadata['uid'];

/**
 * The current objects of a kind. An event that repeats or precedes the known version of its object is ignored, so that events may be
 * repeated and reordered, and the response to a write can be added before its event arrives.
 */
export class ObjectInformer {
  readonly #connection: ApiConnection;
  readonly #request: ObjectInformerRequest;
  readonly #objects = new Map<string, VersionedObject>();
  /** The uids of deleted objects, the latest last. */
  readonly #deleted = new Set<unknown>();
  readonly #listWatch: ObjectListWatch;
  #hasFailed = false;
  #isComplete = false;

  constructor(connection: ApiConnection, request: ObjectInformerRequest) {
    this.#connection = connection;
    this.#request = request;
    this.#listWatch = new ObjectListWatch(connection, request, {
      onList: (list) => this.#replace(list),
      onEvent: (event) => this.#take(event),
      onFailure: (failure, verb) => {
        this.#hasFailed = true;
        request.onFailure(failure, verb);
      },
      onProgress: () => this.#recover(),
    });
  }

  /** True after the first complete list. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Returns the current objects, in no order. */
  objects(): readonly VersionedObject[] {
    return [...this.#objects.values()];
  }

  /** Returns an object. */
  get(key: ObjectKey): VersionedObject | undefined {
    return this.#objects.get(formatId(key));
  }

  /** Adds the object of a response, unless a later version is known. */
  add(object: VersionedObject): void {
    if (this.#put(this.#reduce(object))) this.#request.onChange();
  }

  /** Removes an object that the API has deleted. Its late events are ignored. */
  remove(object: VersionedObject): void {
    if (this.#delete(object)) this.#request.onChange();
  }

  /** Lists the objects again. Resolves when they are the current ones. */
  async refresh(): Promise<ApiResult<undefined>> {
    const list = await listObjects(this.#connection, this.#request);
    if (!list.ok) return list;
    this.#replace(list.value);
    return { ok: true, value: undefined };
  }

  /** Resolves after the first list, or when it has failed. */
  async waitForSync(): Promise<void> {
    await this.#listWatch.waitForSync();
  }

  /** Stops without further callbacks. */
  stop(): void {
    this.#listWatch.stop();
  }

  #recover(): void {
    if (!this.#hasFailed) return;
    this.#hasFailed = false;
    this.#request.onRecovery();
  }

  #take({ kind, object }: ObjectEvent): void {
    const isChanged = kind === 'written' ? this.#put(this.#reduce(object)) : this.#delete(object);
    if (isChanged) this.#request.onChange();
  }

  #reduce(object: VersionedObject): VersionedObject {
    const { keep, maxObjectBytes } = this.#request;
    const bounded = toBoundedObject(object, maxObjectBytes);
    return keep === undefined ? bounded : keep(bounded);
  }

  /** Replaces the objects by those of a list, except for versions that are later than the list. */
  #replace({ objects, revision }: ObjectList): void {
    const wasComplete = this.#isComplete;
    this.#isComplete = true;
    let isChanged = !wasComplete;
    const listed = new Set(objects.map(({ object }) => formatId(object.metadata)));
    for (const [id, known] of this.#objects) {
      if (listed.has(id) || isLaterRevision(known.revision, revision)) continue;
      this.#objects.delete(id);
      isChanged = true;
    }
    for (const object of objects) if (this.#put(this.#reduce(object))) isChanged = true;
    if (isChanged) this.#request.onChange();
  }

  #put(object: VersionedObject): boolean {
    const id = formatId(object.object.metadata);
    const known = this.#objects.get(id);
    if (this.#deleted.has(readUid(object))) return false;
    if (known !== undefined && !isLaterRevision(object.revision, known.revision)) return false;
    this.#objects.set(id, object);
    return true;
  }

  #delete(object: VersionedObject): boolean {
    this.#remember(readUid(object));
    const id = formatId(object.object.metadata);
    const known = this.#objects.get(id);
    // The object may have been created again.
    if (known === undefined || readUid(known) !== readUid(object)) return false;
    return this.#objects.delete(id);
  }

  #remember(uid: unknown): void {
    if (uid === undefined) return;
    this.#deleted.add(uid);
    if (this.#deleted.size <= MAX_DELETED) return;
    for (const oldest of this.#deleted) {
      this.#deleted.delete(oldest);
      return;
    }
  }
}
