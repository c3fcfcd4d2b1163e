import { isDeepStrictEqual } from 'node:util';
import type { ApiObject, ServedKind } from './api-object.ts';
import { STATUSES, type ApiStatus } from './api-status.ts';
import type { ObjectHistory, Written } from './object-history.ts';

type Fields = ReadonlyMap<string, unknown>;

/** The manager of an apply, and whether it takes ownership of fields of other managers. */
export interface ApplyOptions {
  readonly manager: string;
  readonly isForced: boolean;
  /** Applies `status` of an existing object only; otherwise everything except `status`. */
  readonly isStatus: boolean;
}

/** The object that an apply changes, and whether only its `status`. */
interface AppliedTo {
  readonly live: ApiObject | undefined;
  readonly isStatus: boolean;
}

/** Returns the refusal of an apply whose identity or version is not that of the live object. */
const preconditionProblem = (
  kind: ServedKind,
  { metadata: { name, uid, resourceVersion } }: ApiObject,
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
const leavesOf = (value: unknown, path: readonly string[] = []): readonly [string, unknown][] =>
  isMapping(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]))
    : [[path.join(SEPARATOR), value]];

const fieldsOf = ({ metadata, ...rest }: ApiObject): Fields => {
  const {
    name: _name,
    namespace: _namespace,
    uid: _uid,
    resourceVersion: _version,
    ...ownMetadata
  } = metadata;
  const managed = Object.entries(rest).filter(([key]) => !UNMANAGED.has(key));
  const owned = { ...Object.fromEntries(managed), metadata: ownMetadata };
  return new Map(leavesOf(owned).filter(([path]) => path !== 'metadata'));
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

  apply(kind: ServedKind, given: ApiObject, options: ApplyOptions): Written {
    const { manager, isForced, isStatus } = options;
    const live = this.#history.get(kind, given.metadata);
    const problem = preconditionProblem(kind, given, { live, isStatus });
    if (problem !== undefined) return { ok: false, status: problem };
    const owners = this.#ownersOf(kind, given, { live, isStatus });
    const { status, ...object } = given;
    const fields = isStatus ? new Map(leavesOf({ status })) : fieldsOf(object);
    const others = [...owners].filter(([other]) => other !== manager);
    const conflicts = others.filter(([, owned]) => differing(owned, fields).length > 0);
    const [conflict] = conflicts;
    if (conflict !== undefined && !isForced)
      return {
        ok: false,
        status: STATUSES.applyConflict(conflict[0], differing(conflict[1], fields)),
      };
    const removed = [...(owners.get(manager)?.keys() ?? [])].filter(
      (path) => !fields.has(path) && !others.some(([, owned]) => owned.has(path)),
    );
    for (const [other, owned] of conflicts)
      owners.set(other, new Map([...owned].filter(([path]) => !fields.has(path))));
    owners.set(manager, fields);
    const next = merged(live ?? withoutVersion(object), fields, removed);
    const written = isStatus ? next : withManagedFields(next, owners);
    return { ok: true, object: this.#history.apply(kind, written) };
  }

  /** Returns the fields of each manager; none for a new object. */
  #ownersOf(kind: ServedKind, { metadata }: ApiObject, { live, isStatus }: AppliedTo) {
    const { namespace, name } = metadata;
    const key = `${kind.resource}.${kind.group}/${namespace}/${name}${isStatus ? '/status' : ''}`;
    const known = live === undefined ? undefined : this.#fields.get(key);
    const owners = known ?? new Map<string, Fields>();
    this.#fields.set(key, owners);
    return owners;
  }
}

/** Returns the object with the owners of its fields, as the API writes them. */
const withManagedFields = (object: ApiObject, owners: ReadonlyMap<string, Fields>): ApiObject => {
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

const withoutVersion = ({ metadata, ...rest }: ApiObject): ApiObject => {
  const { resourceVersion: _version, ...own } = metadata;
  return { ...rest, metadata: own };
};

/** Returns the fields that two managers own with different values, such as `.spec.url`. */
const differing = (owned: Fields, fields: Fields): readonly string[] =>
  [...fields]
    .filter(([path, value]) => owned.has(path) && !isDeepStrictEqual(owned.get(path), value))
    .map(([path]) => `.${path.split(SEPARATOR).join('.')}`);

const merged = (live: ApiObject, fields: Fields, removed: readonly string[]): ApiObject => {
  let next: unknown = live;
  for (const path of removed) next = withoutField(next, path.split(SEPARATOR));
  for (const [path, value] of fields) next = withField(next, path.split(SEPARATOR), value);
  return JSON.parse(JSON.stringify(next)) as ApiObject;
};
