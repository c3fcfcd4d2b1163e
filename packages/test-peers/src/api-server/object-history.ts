import { isDeepStrictEqual } from 'node:util';
import { randomUUID } from 'node:crypto';
import type { ApiObject, ServedKind } from './api-object.ts';
import { STATUSES, type ApiStatus } from './api-status.ts';

/** A change of an object, as an event of a watch. */
export interface HistoryEvent {
  readonly version: number;
  readonly resource: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}

/** The result of a write. */
export type Written =
  | { readonly ok: true; readonly object: ApiObject }
  | { readonly ok: false; readonly status: ApiStatus };

const refused = (status: ApiStatus): Written => ({ ok: false, status });

interface Place {
  readonly namespace: string;
  readonly name: string;
}

const keyOf = ({ resource, group }: ServedKind, { namespace, name }: Place): string =>
  `${resource}.${group}/${namespace}/${name}`;

const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
};

const isOf = ({ metadata }: ApiObject, live: ApiObject): boolean =>
  metadata.resourceVersion === live.metadata.resourceVersion &&
  (metadata.uid ?? live.metadata.uid) === live.metadata.uid;

const PRESERVED_METADATA = ['uid', 'creationTimestamp', 'managedFields'] as const;

/** Returns the live object with the content of a write. Status and identity do not change. */
const mergedInto = (live: ApiObject, object: ApiObject): ApiObject => {
  const { generation = 1 } = live.metadata;
  const isSameSpec = isDeepStrictEqual(object['spec'], live['spec']);
  const preserved = PRESERVED_METADATA.filter((key) => live.metadata[key] !== undefined);
  return {
    ...object,
    status: live['status'],
    metadata: {
      ...object.metadata,
      generation: isSameSpec ? generation : generation + 1,
      ...Object.fromEntries(preserved.map((key) => [key, live.metadata[key]])),
    },
  };
};

/** Returns the identity of a written object: a new one, or that of the live object with a new generation for another `spec`. */
const identityOf = ({ metadata, spec }: ApiObject, live: ApiObject | undefined) => {
  const now = new Date().toISOString();
  if (live === undefined)
    return { creationTimestamp: now, generation: 1, uid: metadata.uid ?? randomUUID() };
  const { generation = 1, uid = randomUUID(), creationTimestamp = now } = live.metadata;
  const isSame = isDeepStrictEqual(spec, live['spec']);
  return { creationTimestamp, generation: isSame ? generation : generation + 1, uid };
};

/** The objects of a cluster, their versions and their changes in order. As in etcd, one counter numbers all changes. */
export class ObjectHistory {
  readonly #objects = new Map<string, ApiObject>();
  readonly #listeners = new Set<(event: HistoryEvent) => void>();
  readonly #events: HistoryEvent[] = [];
  #version = 1000;

  get version(): number {
    return this.#version;
  }

  onEvent(listener: (event: HistoryEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  since(version: number): readonly HistoryEvent[] {
    return this.#events.filter((event) => event.version > version);
  }

  get(kind: ServedKind, place: Place): ApiObject | undefined {
    return this.#objects.get(keyOf(kind, place));
  }

  /** Returns the objects of a namespace, or of all for an empty one, sorted by name. */
  list(kind: ServedKind, namespace: string): readonly ApiObject[] {
    const all = `${kind.resource}.${kind.group}/`;
    const prefix = namespace === '' ? all : keyOf(kind, { namespace, name: '' });
    return [...this.#objects]
      .filter(([key]) => key.startsWith(prefix))
      .map(([, object]) => object)
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  create(kind: ServedKind, object: ApiObject, manager: string): Written {
    const { name } = object.metadata;
    if (this.get(kind, object.metadata) !== undefined)
      return refused(STATUSES.alreadyExists(kind, name));
    const { status: _status, ...rest } = object;
    return this.#put(kind, 'ADDED', {
      ...rest,
      metadata: {
        ...object.metadata,
        uid: randomUUID(),
        generation: 1,
        creationTimestamp: new Date().toISOString(),
        managedFields: [{ manager, operation: 'Update', apiVersion: object.apiVersion }],
      },
    });
  }

  /** Updates an object. Refuses a write of another version than the current one. A write without a change creates no version. */
  update(kind: ServedKind, object: ApiObject, manager: string): Written {
    const { name } = object.metadata;
    const live = this.get(kind, object.metadata);
    if (live === undefined) return refused(STATUSES.notFound(kind, name));
    if (object.metadata.resourceVersion === undefined)
      return refused(STATUSES.versionMissing(kind, name));
    if (!isOf(object, live)) return refused(STATUSES.modified(kind, name));
    const next = mergedInto(live, object);
    if (isDeepStrictEqual(JSON.parse(JSON.stringify(next)), live))
      return { ok: true, object: live };
    const managedFields = [{ manager, operation: 'Update', apiVersion: object.apiVersion }];
    return this.#put(kind, 'MODIFIED', { ...next, metadata: { ...next.metadata, managedFields } });
  }

  /** @param uid that of the object to delete; any when absent */
  delete(kind: ServedKind, place: Place, uid?: string): Written {
    const live = this.get(kind, place);
    if (live === undefined) return refused(STATUSES.notFound(kind, place.name));
    if (uid !== undefined && uid !== live.metadata.uid)
      return refused(STATUSES.otherUid(kind, place.name, { given: uid, live: live.metadata.uid }));
    return this.#remove(kind, live);
  }

  /** Creates or replaces a whole object including its status, as a controller, `kubectl` or Git does. */
  apply(kind: ServedKind, object: ApiObject): ApiObject {
    const live = this.get(kind, object.metadata);
    const type = live === undefined ? 'ADDED' : 'MODIFIED';
    const metadata = { ...object.metadata, ...identityOf(object, live) };
    const written = this.#put(kind, type, { ...object, metadata });
    return written.object;
  }

  #put(kind: ServedKind, type: 'ADDED' | 'MODIFIED', object: ApiObject) {
    const stored = this.#next(kind, type, object);
    this.#objects.set(keyOf(kind, object.metadata), stored);
    return { ok: true, object: stored } as const;
  }

  #remove(kind: ServedKind, object: ApiObject): Written {
    this.#objects.delete(keyOf(kind, object.metadata));
    return { ok: true, object: this.#next(kind, 'DELETED', object) };
  }

  #next(kind: ServedKind, type: HistoryEvent['type'], object: ApiObject): ApiObject {
    this.#version += 1;
    const stored = frozen(
      JSON.parse(
        JSON.stringify({
          ...object,
          metadata: { ...object.metadata, resourceVersion: String(this.#version) },
        }),
      ) as ApiObject,
    );
    const event = { version: this.#version, resource: kind.resource, type, object: stored };
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
    return stored;
  }
}
