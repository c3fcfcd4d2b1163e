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
export const apiVersionOf = ({ group, version }: ApiKind): string =>
  group === '' ? version : `${group}/${version}`;

/** Returns the path of all objects of a kind in a namespace; in all namespaces when absent. */
export const collectionPath = (kind: ApiKind, namespace?: string): string => {
  const root = `${kind.group === '' ? '/api' : '/apis'}/${apiVersionOf(kind)}`;
  return namespace === undefined
    ? `${root}/${kind.resource}`
    : `${root}/namespaces/${encodeURIComponent(namespace)}/${kind.resource}`;
};

/** Returns the path of one object. */
export const objectPath = (kind: ApiKind, { namespace, name }: ObjectKey): string =>
  `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;

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

/** The same for the events of a watch. */
export const watchMediaType = (part: ObjectPart | undefined): string =>
  part === undefined
    ? 'application/json'
    : `application/json;as=PartialObjectMetadata;${METADATA},application/json`;
