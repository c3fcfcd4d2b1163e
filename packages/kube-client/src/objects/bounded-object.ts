import type { ApiObject, VersionedObject } from './api-object.ts';

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

const bytesOf = (value: unknown): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));

const identityOf = ({ apiVersion, kind, metadata }: ApiObject): ApiObject => ({
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
export const boundedObject = (
  versioned: VersionedObject,
  maxBytes: number | undefined,
): VersionedObject => {
  if (maxBytes === undefined || versioned.omittedBytes !== undefined) return versioned;
  const { status, ...contents } = versioned.object;
  const { resourceVersion: _changing, ...metadata } = contents.metadata;
  const bytes = bytesOf({ ...contents, metadata });
  const isLarge = bytes > maxBytes;
  const isStatusLarge = bytesOf(status) > maxBytes;
  if (!isLarge && !isStatusLarge) return versioned;
  const kept = isLarge ? identityOf(versioned.object) : contents;
  return {
    object: isStatusLarge || status === undefined ? kept : { ...kept, status },
    revision: versioned.revision,
    ...(isLarge ? { omittedBytes: bytes } : {}),
  };
};
