import type { ApiConnection } from './api-connection.ts';
import {
  type ApiKind,
  formatApiVersion,
  toBoundedObject,
  formatCollectionPath,
  toFields,
  listMediaType,
  type ObjectKey,
  type ObjectPart,
  formatObjectPath,
  toText,
  type VersionedObject,
  parseVersionedObject,
} from './api-object.ts';
import { type ApiResult, toFailure, hasStatus } from './api-result.ts';

/** The number of times a list is restarted after its continue token expired. */
const MAX_LIST_STARTS = 3;

/** The maximum number of objects in a list. */
const MAX_LIST_OBJECTS = 20_000;

/** The number of objects in one page of a list. */
const PAGE_SIZE = 500;

/** Bounds a list whose length other clients control. */
export interface ListSample {
  /** Number of objects after which no further page is read. */
  readonly maxRead: number;
  /** Returns which of the objects read so far to keep. Called after each page; must not throw. */
  readonly keep: (objects: readonly VersionedObject[]) => readonly VersionedObject[];
}

/** The objects to list. */
export interface ListRequest {
  readonly kind: ApiKind;
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly selector?: { readonly labelSelector: string } | { readonly fieldSelector: string };
  readonly part?: ObjectPart;
  /** Size as JSON, in bytes, above which objects are returned without their contents. No limit when absent. */
  readonly maxObjectBytes?: number;
  /** Without it, a list with too many objects fails. */
  readonly sample?: ListSample;
}

/** The objects at one revision, or with {@link ListRequest.sample} a sample of them. */
export interface ObjectList {
  readonly objects: readonly VersionedObject[];
  /** The resource version that a watch continues from. */
  readonly revision: string;
}

/** The position of a page in a list. */
interface PagePosition {
  readonly next: string | undefined;
  readonly limit: number;
}

/** Divides the page size after a response that was too large: 500, 62, 7, 1. */
const SHRINK_FACTOR = 8;

type Page = ApiResult<ObjectList & { readonly next: string | undefined }>;

const readPage = async (
  connection: ApiConnection,
  { kind, namespace, selector, part, maxObjectBytes }: ListRequest,
  { next, limit }: PagePosition,
): Promise<Page> => {
  const response = await connection.send({
    method: 'GET',
    path: formatCollectionPath(kind, namespace),
    accept: listMediaType(part),
    query: {
      ...selector,
      limit: String(limit),
      ...(next === undefined ? {} : { continue: next }),
    },
  });
  if (!response.ok) return response;
  const { items: listed } = response.value;
  // An empty list of metadata has null.
  const items = listed === null ? [] : listed;
  if (!Array.isArray(items)) return toFailure({ kind: 'unreadable' });
  const metadata = toFields(response.value['metadata']);
  const objects = items.flatMap((item: unknown) => {
    const versioned = parseVersionedObject(item, kind);
    return versioned === undefined ? [] : [toBoundedObject(versioned, maxObjectBytes)];
  });
  const token = toText(metadata['continue']);
  return {
    ok: true,
    value: {
      objects,
      revision: toText(metadata['resourceVersion']) ?? '',
      next: token === '' ? undefined : token,
    },
  };
};

/** The part of a list that was read. */
interface PartialList {
  readonly objects: readonly VersionedObject[];
  /** The number of objects read, including objects that were not kept. */
  readonly read: number;
}

const withPage = (
  { objects, read }: PartialList,
  page: readonly VersionedObject[],
  sample: ListSample | undefined,
): PartialList => {
  const all = [...objects, ...page];
  return { objects: sample?.keep(all) ?? all, read: read + page.length };
};

const isSampleComplete = ({ read }: PartialList, sample: ListSample | undefined): boolean =>
  sample !== undefined && read >= sample.maxRead;

const readPages = async (
  connection: ApiConnection,
  request: ListRequest,
): Promise<ApiResult<ObjectList>> => {
  const { sample } = request;
  let pages: PartialList = { objects: [], read: 0 };
  let next: string | undefined;
  let limit = PAGE_SIZE;
  for (;;) {
    const page = await readPage(connection, request, { next, limit });
    if (!page.ok && page.failure.kind === 'too-large' && limit > 1) {
      // A few large objects must not make the list unreadable.
      limit = Math.floor(limit / SHRINK_FACTOR) || 1;
      continue;
    }
    if (!page.ok) return page;
    pages = withPage(pages, page.value.objects, sample);
    const { objects } = pages;
    if (objects.length > MAX_LIST_OBJECTS)
      return toFailure({ kind: 'too-many', max: MAX_LIST_OBJECTS });
    next = isSampleComplete(pages, sample) ? undefined : page.value.next;
    if (next === undefined) return { ok: true, value: { objects, revision: page.value.revision } };
  }
};

/** Lists objects at one revision, page by page. Shrinks the pages when a response is too large. Starts again when the continue token has expired (410). */
export const listObjects = async (
  connection: ApiConnection,
  request: ListRequest,
): Promise<ApiResult<ObjectList>> => {
  for (let start = 1; ; start += 1) {
    const list = await readPages(connection, request);
    if (list.ok || !hasStatus(list.failure, 410) || start === MAX_LIST_STARTS) return list;
  }
};

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
  const path = formatObjectPath(kind, key);
  const response = await connection.send({
    method: 'PATCH',
    path: subresource === undefined ? path : `${path}/${subresource}`,
    query: { fieldManager, force: String(isForced) },
    // JSON is valid YAML, which is the content type that every version of the API accepts.
    contentType: 'application/apply-patch+yaml',
    body: {
      ...fields,
      apiVersion: formatApiVersion(kind),
      kind: kind.kind,
      metadata: { ...fields.metadata, ...key },
    },
  });
  if (!response.ok) return response;
  const object = parseVersionedObject(response.value, kind);
  return object === undefined ? toFailure({ kind: 'unreadable' }) : { ok: true, value: object };
};
