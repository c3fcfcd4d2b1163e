import type { Answer } from '@gateway/agent-manager-client';
import type { KubernetesObject, ObjectName, Stored } from '@gateway/agent-releases';
import type { ApiConnection } from './api-connection.ts';
import { failed, isAbsent, refusalOf, type ApiResult } from './api-failure.ts';
import { isObjectName, isPlace, objectPath, type ApiKind } from './api-kind.ts';
import { objectOf } from './api-object.ts';
import { FreshReads } from './fresh-reads.ts';
import { KnownObjects } from './known-objects.ts';
import { listObjects, type ListRequest, type ObjectList } from './list-objects.ts';

type StoredObject = Stored<KubernetesObject>;

/** The object of an answer, which must be one. */
export const readObject = (
  answer: ApiResult<Readonly<Record<string, unknown>>>,
  kind: ApiKind,
): ApiResult<StoredObject> => {
  if (!answer.ok) return answer;
  const object = objectOf(answer.value, kind);
  return object === undefined ? failed({ kind: 'unreadable' }) : { ok: true, value: object };
};

const byName = (a: StoredObject, b: StoredObject): number =>
  a.object.metadata.name < b.object.metadata.name ? -1 : 1;

/** Reads objects as they are now: each from the API, what did not change as the same JavaScript object. */
export class ObjectReads {
  readonly known = new KnownObjects();
  readonly #lists = new FreshReads<ApiResult<ObjectList>>();
  readonly #connection: ApiConnection;

  constructor(connection: ApiConnection) {
    this.#connection = connection;
  }

  /** `undefined`: there is none, as there cannot be of names that no object may have. */
  async get(kind: ApiKind, object: ObjectName): Promise<Answer<StoredObject | undefined>> {
    if (!isPlace(object)) return { ok: true, value: undefined };
    const answer = await this.#connection.ask({ method: 'GET', path: objectPath(kind, object) });
    const read = readObject(answer, kind);
    if (read.ok) return { ok: true, value: this.known.same(kind, read.value) };
    if (!isAbsent(read.failure, kind, object))
      return refusalOf(read.failure, { verb: 'read', kind, ...object });
    this.known.forget(kind, object);
    return { ok: true, value: undefined };
  }

  /** Sorted by name. */
  async list(request: ListRequest): Promise<Answer<readonly StoredObject[]>> {
    const { kind, namespace } = request;
    if (!isObjectName(namespace)) return { ok: true, value: [] };
    const list = await listObjects(this.#connection, request);
    if (!list.ok) return refusalOf(list.failure, { verb: 'list', kind, namespace });
    return { ok: true, value: [...list.value.objects].sort(byName) };
  }

  /** All of a kind in a namespace, sorted by name; shared by callers that ask at the same time. */
  async listAll(kind: ApiKind, namespace: string): Promise<Answer<readonly StoredObject[]>> {
    if (!isObjectName(namespace)) return { ok: true, value: [] };
    const list = await this.#lists.read(`${kind.resource}/${namespace}`, () =>
      this.#listKnown(kind, namespace),
    );
    return list.ok
      ? { ok: true, value: list.value.objects }
      : refusalOf(list.failure, { verb: 'list', kind, namespace });
  }

  async #listKnown(kind: ApiKind, namespace: string): Promise<ApiResult<ObjectList>> {
    const list = await listObjects(this.#connection, { kind, namespace });
    if (!list.ok) return list;
    const { objects, revision } = list.value;
    const sorted = [...objects].sort(byName);
    return {
      ok: true,
      value: { objects: this.known.sameList(kind, namespace, sorted), revision },
    };
  }
}
