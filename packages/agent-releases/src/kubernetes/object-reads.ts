import type { Answer } from '@gateway/agent-manager-client';
import type { KubernetesObject, ObjectName, Stored } from '../store/objects.ts';
import {
  failed,
  isNotFound,
  isObjectKey,
  isObjectName,
  listObjects,
  objectPath,
  SharedReads,
  versionedObjectOf,
  type ApiConnection,
  type ApiKind,
  type ApiResult,
  type ListRequest,
  type ObjectCache,
  type ObjectList,
} from '@gateway/kube-client';
import type { AgentApiKind } from './api-kinds.ts';
import type { RefuseRequest } from './refusal.ts';

type StoredObject = Stored<KubernetesObject>;

/** Returns the object of a response; a response without one is unreadable. */
export const readObject = (
  response: ApiResult<Readonly<Record<string, unknown>>>,
  kind: ApiKind,
): ApiResult<StoredObject> => {
  if (!response.ok) return response;
  const object = versionedObjectOf(response.value, kind);
  return object === undefined ? failed({ kind: 'unreadable' }) : { ok: true, value: object };
};

const byName = (a: StoredObject, b: StoredObject): number =>
  a.object.metadata.name < b.object.metadata.name ? -1 : 1;

/** Reads the current objects from the API. An unchanged object is the same JavaScript object as before. */
export class ObjectReads {
  readonly cache: ObjectCache;
  readonly refuse: RefuseRequest;
  readonly #lists = new SharedReads<ApiResult<ObjectList>>();
  readonly #connection: ApiConnection;

  /** @param cache may be shared by connections to one cluster: it returns an object only to a caller that has read the same version */
  constructor(connection: ApiConnection, cache: ObjectCache, refuse: RefuseRequest) {
    this.#connection = connection;
    this.refuse = refuse;
    this.cache = cache;
  }

  /** Returns an object; undefined when it does not exist or cannot have this name. */
  async get(kind: AgentApiKind, object: ObjectName): Promise<Answer<StoredObject | undefined>> {
    if (!isObjectKey(object)) return { ok: true, value: undefined };
    const response = await this.#connection.send({ method: 'GET', path: objectPath(kind, object) });
    const read = readObject(response, kind);
    if (read.ok) return { ok: true, value: this.cache.same(kind, read.value) };
    if (!isNotFound(read.failure, kind, object))
      return this.refuse(read.failure, { verb: 'read', kind, ...object });
    this.cache.delete(kind, object);
    return { ok: true, value: undefined };
  }

  /** Lists selected objects, sorted by name. */
  async list(
    request: ListRequest & { readonly kind: AgentApiKind; readonly namespace: string },
  ): Promise<Answer<readonly StoredObject[]>> {
    const { kind, namespace } = request;
    if (!isObjectName(namespace)) return { ok: true, value: [] };
    const list = await listObjects(this.#connection, request);
    if (!list.ok) return this.refuse(list.failure, { verb: 'list', kind, namespace });
    return { ok: true, value: [...list.value.objects].sort(byName) };
  }

  /** Lists all objects of a kind in a namespace, sorted by name. Concurrent callers share a list. */
  async listAll(kind: AgentApiKind, namespace: string): Promise<Answer<readonly StoredObject[]>> {
    if (!isObjectName(namespace)) return { ok: true, value: [] };
    const list = await this.#lists.read(`${kind.resource}/${namespace}`, () =>
      this.#listCached(kind, namespace),
    );
    return list.ok
      ? { ok: true, value: list.value.objects }
      : this.refuse(list.failure, { verb: 'list', kind, namespace });
  }

  async #listCached(kind: ApiKind, namespace: string): Promise<ApiResult<ObjectList>> {
    const list = await listObjects(this.#connection, { kind, namespace });
    if (!list.ok) return list;
    const { objects, revision } = list.value;
    const sorted = [...objects].sort(byName);
    return {
      ok: true,
      value: { objects: this.cache.sameList(kind, namespace, sorted), revision },
    };
  }
}
