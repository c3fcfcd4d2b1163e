import type { ApiConnection } from './api-connection.ts';
import {
  type ApiKind,
  apiVersionOf,
  type ObjectKey,
  objectPath,
  type VersionedObject,
  versionedObjectOf,
} from './api-object.ts';
import { type ApiResult, failed } from './api-result.ts';

/** A server-side apply. */
export interface ApplyRequest {
  readonly kind: ApiKind;
  readonly key: ObjectKey;
  /** The fields that the field manager owns: labels and annotations of `metadata`, and other top-level fields such as `spec`. */
  readonly fields: Readonly<Record<string, unknown>> & {
    readonly metadata?: Readonly<Record<string, unknown>>;
  };
  /** The owner of the fields. */
  readonly fieldManager: string;
  /** Takes over fields that other managers own. Otherwise, such a field is a conflict: a refusal with status 409. */
  readonly isForced?: boolean;
  /** Applies to a subresource. */
  readonly subresource?: 'status';
}

/** Creates or updates an object by server-side apply. Fields that the manager applied before and that are now absent are removed. */
export const applyObject = async (
  connection: ApiConnection,
  { kind, key, fields, fieldManager, isForced = false, subresource }: ApplyRequest,
): Promise<ApiResult<VersionedObject>> => {
  const path = objectPath(kind, key);
  const response = await connection.send({
    method: 'PATCH',
    path: subresource === undefined ? path : `${path}/${subresource}`,
    query: { fieldManager, force: String(isForced) },
    // JSON is valid YAML, which is the content type that every version of the API accepts.
    contentType: 'application/apply-patch+yaml',
    body: {
      ...fields,
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata: { ...fields.metadata, ...key },
    },
  });
  if (!response.ok) return response;
  const object = versionedObjectOf(response.value, kind);
  return object === undefined ? failed({ kind: 'unreadable' }) : { ok: true, value: object };
};
