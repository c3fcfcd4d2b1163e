import { isDeepStrictEqual } from 'node:util';
import { randomUUID } from 'node:crypto';
import { type StoredObject, type ApiStatus, type ServedKind, STATUSES } from './api-object.ts';

export interface ObjectChange {
  readonly version: number;
  readonly resource: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: StoredObject;
}

export type Written =
  | { readonly ok: true; readonly object: StoredObject }
  | { readonly ok: false; readonly status: ApiStatus };

const refuseWrite = (status: ApiStatus): Written => ({ ok: false, status });

interface Place {
  readonly namespace: string;
  readonly name: string;
}

const toKey = ({ resource, group }: ServedKind, { namespace, name }: Place): string =>
  `${resource}.${group}/${namespace}/${name}`;

const freezeValue = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  Object.values(value).forEach(freezeValue);
  return Object.freeze(value);
};

const isSameVersion = ({ metadata }: StoredObject, live: StoredObject): boolean =>
  metadata.resourceVersion === live.metadata.resourceVersion &&
  (metadata.uid ?? live.metadata.uid) === live.metadata.uid;

const PRESERVED_METADATA = ['uid', 'creationTimestamp', 'managedFields'] as const;

/** Returns the live object with the content of a write. Status and identity do not change. */
const mergeObject = (live: StoredObject, object: StoredObject): StoredObject => {
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
const toIdentity = ({ metadata, spec }: StoredObject, live: StoredObject | undefined) => {
  const now = new Date().toISOString();
  if (live === undefined)
    return { creationTimestamp: now, generation: 1, uid: metadata.uid ?? randomUUID() };
  const { generation = 1, uid = randomUUID(), creationTimestamp = now } = live.metadata;
  const isSame = isDeepStrictEqual(spec, live['spec']);
  return { creationTimestamp, generation: isSame ? generation : generation + 1, uid };
};

export class ObjectHistory {
  readonly #objects = new Map<string, StoredObject>();
  readonly #listeners = new Set<(event: ObjectChange) => void>();
  readonly #events: ObjectChange[] = [];
  #version = 1000;

  get version(): number {
    return this.#version;
  }

  onEvent(listener: (event: ObjectChange) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  since(version: number): readonly ObjectChange[] {
    return this.#events.filter((event) => event.version > version);
  }

  get(kind: ServedKind, place: Place): StoredObject | undefined {
    return this.#objects.get(toKey(kind, place));
  }

  /** Returns the objects of a namespace, or of all for an empty one, sorted by name. */
  list(kind: ServedKind, namespace: string): readonly StoredObject[] {
    const all = `${kind.resource}.${kind.group}/`;
    const prefix = namespace === '' ? all : toKey(kind, { namespace, name: '' });
    return [...this.#objects]
      .filter(([key]) => key.startsWith(prefix))
      .map(([, object]) => object)
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  }

  create(kind: ServedKind, object: StoredObject, manager: string): Written {
    const { name } = object.metadata;
    if (this.get(kind, object.metadata) !== undefined)
      return refuseWrite(STATUSES.alreadyExists(kind, name));
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
  update(kind: ServedKind, object: StoredObject, manager: string): Written {
    const { name } = object.metadata;
    const live = this.get(kind, object.metadata);
    if (live === undefined) return refuseWrite(STATUSES.notFound(kind, name));
    if (object.metadata.resourceVersion === undefined)
      return refuseWrite(STATUSES.versionMissing(kind, name));
    if (!isSameVersion(object, live)) return refuseWrite(STATUSES.modified(kind, name));
    const next = mergeObject(live, object);
    if (isDeepStrictEqual(JSON.parse(JSON.stringify(next)), live))
      return { ok: true, object: live };
    const managedFields = [{ manager, operation: 'Update', apiVersion: object.apiVersion }];
    return this.#put(kind, 'MODIFIED', { ...next, metadata: { ...next.metadata, managedFields } });
  }

  /** @param uid that of the object to delete; any when absent */
  delete(kind: ServedKind, place: Place, uid?: string): Written {
    const live = this.get(kind, place);
    if (live === undefined) return refuseWrite(STATUSES.notFound(kind, place.name));
    if (uid !== undefined && uid !== live.metadata.uid)
      return refuseWrite(
        STATUSES.otherUid(kind, place.name, { given: uid, live: live.metadata.uid }),
      );
    return this.#remove(kind, live);
  }

  /** Creates or replaces a whole object including its status, as a controller, `kubectl` or Git does. */
  apply(kind: ServedKind, object: StoredObject): StoredObject {
    const live = this.get(kind, object.metadata);
    const type = live === undefined ? 'ADDED' : 'MODIFIED';
    const metadata = { ...object.metadata, ...toIdentity(object, live) };
    const written = this.#put(kind, type, { ...object, metadata });
    return written.object;
  }

  #put(kind: ServedKind, type: 'ADDED' | 'MODIFIED', object: StoredObject) {
    const stored = this.#next(kind, type, object);
    this.#objects.set(toKey(kind, object.metadata), stored);
    return { ok: true, object: stored } as const;
  }

  #remove(kind: ServedKind, object: StoredObject): Written {
    this.#objects.delete(toKey(kind, object.metadata));
    return { ok: true, object: this.#next(kind, 'DELETED', object) };
  }

  #next(kind: ServedKind, type: ObjectChange['type'], object: StoredObject): StoredObject {
    this.#version += 1;
    const stored = freezeValue(
      JSON.parse(
        JSON.stringify({
          ...object,
          metadata: { ...object.metadata, resourceVersion: String(this.#version) },
        }),
      ) as StoredObject,
    );
    const event = { version: this.#version, resource: kind.resource, type, object: stored };
    this.#events.push(event);
    for (const listener of this.#listeners) listener(event);
    return stored;
  }
}

type Fields = ReadonlyMap<string, unknown>;

export interface ApplyOptions {
  readonly manager: string;
  readonly isForced: boolean;
  /** Applies `status` of an existing object only; otherwise everything except `status`. */
  readonly isStatus: boolean;
}

interface AppliedTo {
  readonly live: StoredObject | undefined;
  readonly isStatus: boolean;
}

/** Returns the refusal of an apply whose identity or version is not that of the live object. */
const validatePrecondition = (
  kind: ServedKind,
  { metadata: { name, uid, resourceVersion } }: StoredObject,
  { live, isStatus }: AppliedTo,
): ApiStatus | undefined => {
  if (live === undefined && isStatus) return STATUSES.notFound(kind, name);
  const isOther = (wanted: string | undefined, actual: string | undefined): boolean =>
    wanted !== undefined && wanted !== actual;
  const isStale = live !== undefined && isOther(resourceVersion, live.metadata.resourceVersion);
  return isStale || isOther(uid, live?.metadata.uid) ? STATUSES.modified(kind, name) : undefined;
};

const UNMANAGED: ReadonlySet<string> = new Set(['apiVersion', 'kind']);
const SEPARATOR = '\u0000';

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns every leaf of an object by its path. Lists are atomic. */
const listLeaves = (value: unknown, path: readonly string[] = []): readonly [string, unknown][] =>
  isMapping(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, item]) => listLeaves(item, [...path, key]))
    : [[path.join(SEPARATOR), value]];

const toFields = ({ metadata, ...rest }: StoredObject): Fields => {
  const {
    name: _name,
    namespace: _namespace,
    uid: _uid,
    resourceVersion: _version,
    ...ownMetadata
  } = metadata;
  const managed = Object.entries(rest).filter(([key]) => !UNMANAGED.has(key));
  const owned = { ...Object.fromEntries(managed), metadata: ownMetadata };
  return new Map(listLeaves(owned).filter(([path]) => path !== 'metadata'));
};

const withField = (object: unknown, [key = '', ...rest]: readonly string[], value: unknown) => {
  const before = isMapping(object) ? object : {};
  const next: unknown = rest.length === 0 ? value : withField(before[key], rest, value);
  return { ...before, [key]: next };
};

/** Returns an object without a field, and without the mappings that have no other one. */
const withoutField = (object: unknown, [key = '', ...rest]: readonly string[]): unknown => {
  if (!isMapping(object)) return object;
  const { [key]: field, ...others } = object;
  const next = rest.length === 0 ? undefined : withoutField(field, rest);
  const isEmpty = next === undefined || (isMapping(next) && Object.keys(next).length === 0);
  return isEmpty ? others : { ...others, [key]: next };
};

/** Server-side apply for the objects of a history: owners of fields, conflicts, and the removal of fields that are no longer applied. */
export class AppliedFields {
  readonly #history: ObjectHistory;
  readonly #fields = new Map<string, Map<string, Fields>>();

  constructor(history: ObjectHistory) {
    this.#history = history;
  }

  apply(kind: ServedKind, given: StoredObject, options: ApplyOptions): Written {
    const { manager, isForced, isStatus } = options;
    const live = this.#history.get(kind, given.metadata);
    const problem = validatePrecondition(kind, given, { live, isStatus });
    if (problem !== undefined) return { ok: false, status: problem };
    const owners = this.#findOwners(kind, given, { live, isStatus });
    const { status, ...object } = given;
    const fields = isStatus ? new Map(listLeaves({ status })) : toFields(object);
    const others = [...owners].filter(([other]) => other !== manager);
    const conflicts = others.filter(([, owned]) => listConflicts(owned, fields).length > 0);
    const [conflict] = conflicts;
    if (conflict !== undefined && !isForced)
      return {
        ok: false,
        status: STATUSES.applyConflict(conflict[0], listConflicts(conflict[1], fields)),
      };
    const removed = [...(owners.get(manager)?.keys() ?? [])].filter(
      (path) => !fields.has(path) && !others.some(([, owned]) => owned.has(path)),
    );
    for (const [other, owned] of conflicts)
      owners.set(other, new Map([...owned].filter(([path]) => !fields.has(path))));
    owners.set(manager, fields);
    const next = applyFields(live ?? withoutVersion(object), fields, removed);
    const written = isStatus ? next : withManagedFields(next, owners);
    return { ok: true, object: this.#history.apply(kind, written) };
  }

  /** Returns the fields of each manager; none for a new object. */
  #findOwners(kind: ServedKind, { metadata }: StoredObject, { live, isStatus }: AppliedTo) {
    const { namespace, name } = metadata;
    const key = `${kind.resource}.${kind.group}/${namespace}/${name}${isStatus ? '/status' : ''}`;
    const known = live === undefined ? undefined : this.#fields.get(key);
    const owners = known ?? new Map<string, Fields>();
    this.#fields.set(key, owners);
    return owners;
  }
}

/** Returns the object with the owners of its fields, as the API writes them. */
const withManagedFields = (
  object: StoredObject,
  owners: ReadonlyMap<string, Fields>,
): StoredObject => {
  const owning = [...owners].filter(([, fields]) => fields.size > 0);
  const managedFields = owning.map(([manager, fields]) => {
    let fieldsV1: unknown = {};
    for (const path of fields.keys())
      fieldsV1 = withField(
        fieldsV1,
        path.split(SEPARATOR).map((key) => `f:${key}`),
        {},
      );
    return { manager, operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1 };
  });
  return { ...object, metadata: { ...object.metadata, managedFields } };
};

const withoutVersion = ({ metadata, ...rest }: StoredObject): StoredObject => {
  const { resourceVersion: _version, ...own } = metadata;
  return { ...rest, metadata: own };
};

/** Returns the fields that two managers own with different values, such as `.spec.url`. */
const listConflicts = (owned: Fields, fields: Fields): readonly string[] =>
  [...fields]
    .filter(([path, value]) => owned.has(path) && !isDeepStrictEqual(owned.get(path), value))
    .map(([path]) => `.${path.split(SEPARATOR).join('.')}`);

const applyFields = (
  live: StoredObject,
  fields: Fields,
  removed: readonly string[],
): StoredObject => {
  let next: unknown = live;
  for (const path of removed) next = withoutField(next, path.split(SEPARATOR));
  for (const [path, value] of fields) next = withField(next, path.split(SEPARATOR), value);
  return JSON.parse(JSON.stringify(next)) as StoredObject;
};
