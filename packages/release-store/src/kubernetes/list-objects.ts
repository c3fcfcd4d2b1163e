import type { KubernetesObject, Stored } from '@gateway/agent-releases';
import { fieldsOf, textOf } from './api-answer.ts';
import type { ApiConnection } from './api-connection.ts';
import { failed, hasStatus, type ApiResult } from './api-failure.ts';
import { collectionPath, type ApiKind } from './api-kind.ts';
import { objectOf } from './api-object.ts';
import { MAX_LIST_STARTS, MAX_LISTED, PAGE_SIZE } from './limits.ts';

/** What to list. */
export interface ListRequest {
  readonly kind: ApiKind;
  readonly namespace: string;
  readonly selector?: { readonly labelSelector: string } | { readonly fieldSelector: string };
}

/** All objects at one moment. */
export interface ObjectList {
  readonly objects: readonly Stored<KubernetesObject>[];
  /** Where a watch goes on from. */
  readonly revision: string;
}

type Page = ApiResult<ObjectList & { readonly next: string | undefined }>;

const readPage = async (
  connection: ApiConnection,
  { kind, namespace, selector }: ListRequest,
  next: string | undefined,
): Promise<Page> => {
  const answer = await connection.ask({
    method: 'GET',
    path: collectionPath(kind, namespace),
    query: {
      ...selector,
      limit: String(PAGE_SIZE),
      ...(next === undefined ? {} : { continue: next }),
    },
  });
  if (!answer.ok) return answer;
  const items = answer.value['items'];
  if (!Array.isArray(items)) return failed({ kind: 'unreadable' });
  const metadata = fieldsOf(answer.value['metadata']);
  const objects = items.flatMap((item: unknown) => objectOf(item, kind) ?? []);
  const token = textOf(metadata['continue']);
  return {
    ok: true,
    value: {
      objects,
      revision: textOf(metadata['resourceVersion']) ?? '',
      next: token === '' ? undefined : token,
    },
  };
};

const readPages = async (
  connection: ApiConnection,
  request: ListRequest,
): Promise<ApiResult<ObjectList>> => {
  const objects: Stored<KubernetesObject>[] = [];
  let next: string | undefined;
  for (;;) {
    const page = await readPage(connection, request, next);
    if (!page.ok) return page;
    objects.push(...page.value.objects);
    if (objects.length > MAX_LISTED) return failed({ kind: 'too-many', max: MAX_LISTED });
    next = page.value.next;
    if (next === undefined) return { ok: true, value: { objects, revision: page.value.revision } };
  }
};

/** Lists page by page, as of one moment. Begins again where that moment is too long ago for the API to go on from (410). */
export const listObjects = async (
  connection: ApiConnection,
  request: ListRequest,
): Promise<ApiResult<ObjectList>> => {
  for (let start = 1; ; start += 1) {
    const list = await readPages(connection, request);
    if (list.ok || !hasStatus(list.failure, 410) || start === MAX_LIST_STARTS) return list;
  }
};
