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
const MAX_LISTED = 20_000;

/** The number of objects in one page of a list. */
const PAGE_SIZE = 500;

/** A selection of the objects of a list that another client can make as long as it likes. */
export interface ListSample {
  /** Objects after the page with this number are not read. */
  readonly maxRead: number;
  /** Returns the objects to keep of those that were read so far. Called after each page; must not throw. */
  readonly keep: (objects: readonly VersionedObject[]) => readonly VersionedObject[];
}

/** The objects to list. */
export interface ListRequest {
  readonly kind: ApiKind;
  /** All namespaces when absent. */
  readonly namespace?: string;
  readonly selector?: { readonly labelSelector: string } | { readonly fieldSelector: string };
  readonly part?: ObjectPart;
  /** Larger objects are without their contents, in bytes as JSON; all are complete when absent. */
  readonly maxObjectBytes?: number;
  /** Without it, a list with too many objects fails. */
  readonly sample?: ListSample;
}

/** All objects as of one moment; with {@link ListRequest.sample}, those of the sample. */
export interface ObjectList {
  readonly objects: readonly VersionedObject[];
  /** The resource version that a watch continues from. */
  readonly revision: string;
}

/** The position of a page. */
interface Place {
  readonly next: string | undefined;
  readonly limit: number;
}

/** Each time that a page is too large, the next one has so many times fewer objects: 500, 62, 7, 1. */
const SHRINK_FACTOR = 8;

type Page = ApiResult<ObjectList & { readonly next: string | undefined }>;

const readPage = async (
  connection: ApiConnection,
  { kind, namespace, selector, part, maxObjectBytes }: ListRequest,
  { next, limit }: Place,
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
interface Pages {
  readonly objects: readonly VersionedObject[];
  /** Objects that were read, also those that are not kept. */
  readonly read: number;
}

const withPage = (
  { objects, read }: Pages,
  page: readonly VersionedObject[],
  sample: ListSample | undefined,
): Pages => {
  const all = [...objects, ...page];
  return { objects: sample?.keep(all) ?? all, read: read + page.length };
};

const isEnough = ({ read }: Pages, sample: ListSample | undefined): boolean =>
  sample !== undefined && read >= sample.maxRead;

const readPages = async (
  connection: ApiConnection,
  request: ListRequest,
): Promise<ApiResult<ObjectList>> => {
  const { sample } = request;
  let pages: Pages = { objects: [], read: 0 };
  let next: string | undefined;
  let limit = PAGE_SIZE;
  for (;;) {
    const page = await readPage(connection, request, { next, limit });
    if (!page.ok && page.failure.kind === 'too-large' && limit > 1) {
      // Large objects of one client must not keep the others from being read.
      limit = Math.floor(limit / SHRINK_FACTOR) || 1;
      continue;
    }
    if (!page.ok) return page;
    pages = withPage(pages, page.value.objects, sample);
    const { objects } = pages;
    if (objects.length > MAX_LISTED) return toFailure({ kind: 'too-many', max: MAX_LISTED });
    next = isEnough(pages, sample) ? undefined : page.value.next;
    if (next === undefined) return { ok: true, value: { objects, revision: page.value.revision } };
  }
};

/** Lists objects page by page, as of one moment; in smaller pages when a response would be too large. Starts again when the continue token has expired (410). */
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
