import { apiVersionOf, type ApiKind } from './api-kind.ts';
import { fieldsOf, textOf } from './json-fields.ts';

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
export const versionedObjectOf = (value: unknown, kind: ApiKind): VersionedObject | undefined => {
  const fields = fieldsOf(value);
  const { managedFields: _managedFields, ...metadata } = fieldsOf(fields['metadata']);
  const name = textOf(metadata['name']);
  const namespace = textOf(metadata['namespace']);
  if (name === undefined || namespace === undefined) return undefined;
  const object: ApiObject = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...fields,
    metadata: { ...metadata, name, namespace },
  };
  return { object, revision: textOf(metadata['resourceVersion']) ?? '' };
};
