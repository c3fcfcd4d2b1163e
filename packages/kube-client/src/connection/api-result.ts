import type { ApiKind, ObjectKey } from '../objects/api-kind.ts';

/** The reason why a request has no usable response. */
export type ApiFailure =
  /** The API, or a proxy in front of it, refused the request. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** The message of the API. */
      readonly message?: string;
      readonly reason?: string;
      /** The resource and the name that the refusal is about, where the API gives them. */
      readonly resource?: string;
      readonly name?: string;
      /** The time that the API asks to wait before the next attempt, in milliseconds. */
      readonly retryAfterMs?: number;
    }
  /** The connection failed, with an error code of Node. */
  | { readonly kind: 'broken'; readonly code: string }
  | { readonly kind: 'late'; readonly afterMs: number }
  | { readonly kind: 'too-large'; readonly maxBytes: number }
  | { readonly kind: 'too-many'; readonly max: number }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'no-credentials'; readonly code?: string }
  | { readonly kind: 'closed' };

/** The result of a request. */
export type ApiResult<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: ApiFailure };

/** Returns a failure as a result. */
export const failed = (
  failure: ApiFailure,
): { readonly ok: false; readonly failure: ApiFailure } => ({ ok: false, failure });

/** Returns whether the API refused the request with this status. */
export const hasStatus = (failure: ApiFailure, status: number): boolean =>
  failure.kind === 'refused' && failure.status === status;

/** Returns whether this object does not exist. A missing kind or namespace is another failure. */
export const isNotFound = (failure: ApiFailure, kind: ApiKind, { name }: ObjectKey): boolean =>
  failure.kind === 'refused' &&
  failure.status === 404 &&
  failure.resource === kind.resource &&
  failure.name === name;
