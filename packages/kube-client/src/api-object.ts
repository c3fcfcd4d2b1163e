type Fields = Readonly<Record<string, unknown>>;

/** Returns the value if it is a JSON object, else an empty object. */
export const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

/** Returns the value if it is a string. */
export const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Parses JSON; returns undefined for invalid JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** A kind of object, as the Kubernetes API addresses it. */
export interface ApiKind {
  readonly kind: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** The plural name in paths. */
  readonly resource: string;
}

/** Identifies an object of one kind. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the `apiVersion` of objects of a kind: `group/version`, or the version alone for the core group. */
export const formatApiVersion = ({ group, version }: ApiKind): string =>
  group === '' ? version : `${group}/${version}`;

/** Returns the path of all objects of a kind in a namespace; in all namespaces when absent. */
export const formatCollectionPath = (kind: ApiKind, namespace?: string): string => {
  const root = `${kind.group === '' ? '/api' : '/apis'}/${formatApiVersion(kind)}`;
  return namespace === undefined
    ? `${root}/${kind.resource}`
    : `${root}/namespaces/${encodeURIComponent(namespace)}/${kind.resource}`;
};

/** Returns the path of one object. */
export const formatObjectPath = (kind: ApiKind, { namespace, name }: ObjectKey): string =>
  `${formatCollectionPath(kind, namespace)}/${encodeURIComponent(name)}`;

const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
const MAX_OBJECT_NAME_CHARS = 253;

/** Returns whether a name is an RFC 1123 subdomain. Requests use no other name, because `..` would address another path. */
export const isObjectName = (name: string): boolean =>
  name.length <= MAX_OBJECT_NAME_CHARS && SUBDOMAIN.test(name);

/** Returns whether both parts of a key are valid names. */
export const isObjectKey = ({ namespace, name }: ObjectKey): boolean =>
  isObjectName(namespace) && isObjectName(name);

/** The part of each object that a list or a watch returns: all of it when absent. */
export type ObjectPart = 'metadata';

const METADATA = 'g=meta.k8s.io;v=v1';

/** Returns the media type of a list of whole objects, or of their metadata. */
export const listMediaType = (part: ObjectPart | undefined): string =>
  part === undefined
    ? 'application/json'
    : `application/json;as=PartialObjectMetadataList;${METADATA},application/json`;

/** Returns the media type of the events of a watch, with whole objects or with their metadata. */
export const watchMediaType = (part: ObjectPart | undefined): string =>
  part === undefined
    ? 'application/json'
    : `application/json;as=PartialObjectMetadata;${METADATA},application/json`;

type Json = Readonly<Record<string, unknown>>;

/** An object of the API as plain JSON, with the fields that every object has. */
export interface ApiObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  } & Json;
  readonly spec?: Json;
  readonly status?: Json;
}

/** An object and its resource version. */
export interface VersionedObject {
  readonly object: ApiObject;
  /** Opaque: differs between any two versions of the object. */
  readonly revision: string;
  /** The size of contents that are not here because they were too large, in bytes as JSON. Then only the identity and the status are. */
  readonly omittedBytes?: number;
}

/**
 * Returns an object of a response, or undefined for a value without a name. Adds the kind, which items of lists omit. Removes
 * `managedFields`, which are half of the text; the API keeps them when they are not sent back.
 */
export const parseVersionedObject = (
  value: unknown,
  kind: ApiKind,
): VersionedObject | undefined => {
  const fields = toFields(value);
  const { managedFields: _managedFields, ...metadata } = toFields(fields['metadata']);
  const name = toText(metadata['name']);
  const namespace = toText(metadata['namespace']);
  if (name === undefined || namespace === undefined) return undefined;
  const object: ApiObject = {
    apiVersion: formatApiVersion(kind),
    kind: kind.kind,
    ...fields,
    metadata: { ...metadata, name, namespace },
  };
  return { object, revision: toText(metadata['resourceVersion']) ?? '' };
};

/** The metadata that identify an object and its version. They are never large. */
const IDENTITY = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
];

const toBytes = (value: unknown): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

const readIdentity = ({ apiVersion, kind, metadata }: ApiObject): ApiObject => ({
  ...(apiVersion === undefined ? {} : { apiVersion }),
  ...(kind === undefined ? {} : { kind }),
  metadata: {
    ...Object.fromEntries(Object.entries(metadata).filter(([field]) => IDENTITY.includes(field))),
    name: metadata.name,
    namespace: metadata.namespace,
  },
});

/**
 * Returns an object: without its contents when these are larger than `maxBytes` as JSON, and without a status that is. The status is
 * counted by itself, and the version is not counted, so that the size changes with the contents only.
 */
export const toBoundedObject = (
  versioned: VersionedObject,
  maxBytes: number | undefined,
): VersionedObject => {
  if (maxBytes === undefined || versioned.omittedBytes !== undefined) return versioned;
  const { status, ...contents } = versioned.object;
  const { resourceVersion: _changing, ...metadata } = contents.metadata;
  const bytes = toBytes({ ...contents, metadata });
  const isLarge = bytes > maxBytes;
  const isStatusLarge = toBytes(status) > maxBytes;
  if (!isLarge && !isStatusLarge) return versioned;
  const kept = isLarge ? readIdentity(versioned.object) : contents;
  return {
    object: isStatusLarge || status === undefined ? kept : { ...kept, status },
    revision: versioned.revision,
    ...(isLarge ? { omittedBytes: bytes } : {}),
  };
};

const DECIMAL = /^[1-9]\d*$/;

/**
 * Returns whether a resource version is later than another one of the same kind. The API numbers versions in their order. Versions that are
 * not decimal numbers cannot be compared: then the first one counts as later.
 */
export const isLaterRevision = (revision: string, other: string): boolean => {
  if (!DECIMAL.test(revision) || !DECIMAL.test(other)) return revision !== other;
  return revision.length === other.length ? revision > other : revision.length > other.length;
};
