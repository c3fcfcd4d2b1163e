import type { Answer } from '@gateway/agent-manager-client';
import type { KubernetesObject, ObjectName, Stored } from '../store/objects.ts';
import {
  collectionPath,
  hasStatus,
  isNotFound,
  isObjectKey,
  objectPath,
  type ApiConnection,
} from '@gateway/kube-client';
import type { AgentApiKind } from './api-kinds.ts';
import { readObject, type ObjectReads } from './object-reads.ts';

type StoredObject = Stored<KubernetesObject>;

const nameOf = ({ metadata: { namespace, name } }: KubernetesObject): ObjectName => ({
  namespace,
  name,
});

/** Creates objects, replaces one version of them and deletes them. Never retries. */
export class ObjectWrites {
  readonly #connection: ApiConnection;
  readonly #reads: ObjectReads;
  readonly #ready: () => Promise<void>;

  /** @param ready awaited before every write */
  constructor(connection: ApiConnection, reads: ObjectReads, ready: () => Promise<void>) {
    this.#connection = connection;
    this.#reads = reads;
    this.#ready = ready;
  }

  /** Creates an object. Returns undefined when its name is in use. */
  async create(
    kind: AgentApiKind,
    object: KubernetesObject,
  ): Promise<Answer<StoredObject | undefined>> {
    await this.#ready();
    const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
    const response = await this.#connection.send({
      method: 'POST',
      path: collectionPath(kind, object.metadata.namespace),
      query: this.#query,
      body: { ...object, metadata },
    });
    const created = readObject(response, kind);
    if (created.ok) return { ok: true, value: this.#reads.cache.same(kind, created.value) };
    if (hasStatus(created.failure, 409)) return { ok: true, value: undefined };
    return this.#reads.refuse(created.failure, { verb: 'create', kind, ...nameOf(object) });
  }

  /** Replaces an object. Returns undefined when it has another revision or does not exist. */
  async replace(
    kind: AgentApiKind,
    object: KubernetesObject,
    revision: string,
  ): Promise<Answer<StoredObject | undefined>> {
    const name = nameOf(object);
    if (!isObjectKey(name)) return { ok: true, value: undefined };
    await this.#ready();
    const response = await this.#connection.send({
      method: 'PUT',
      path: objectPath(kind, name),
      query: this.#query,
      body: { ...object, metadata: { ...object.metadata, resourceVersion: revision } },
    });
    const replaced = readObject(response, kind);
    if (replaced.ok) return { ok: true, value: this.#reads.cache.same(kind, replaced.value) };
    const { failure } = replaced;
    if (hasStatus(failure, 409) || isNotFound(failure, kind, name))
      return { ok: true, value: undefined };
    return this.#reads.refuse(failure, { verb: 'replace', kind, ...name });
  }

  /** Deletes an object. Returns false when it does not exist. */
  async delete(kind: AgentApiKind, object: ObjectName): Promise<Answer<boolean>> {
    if (!isObjectKey(object)) return { ok: true, value: false };
    await this.#ready();
    const response = await this.#connection.send({
      method: 'DELETE',
      path: objectPath(kind, object),
    });
    if (response.ok) return { ok: true, value: true };
    if (isNotFound(response.failure, kind, object)) return { ok: true, value: false };
    return this.#reads.refuse(response.failure, { verb: 'delete', kind, ...object });
  }

  get #query(): Readonly<Record<string, string>> {
    return { fieldManager: this.#connection.fieldManager };
  }
}
