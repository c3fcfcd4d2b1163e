import type { Answer } from '@gateway/agent-manager-client';
import type { KubernetesObject, ObjectName, Stored } from '@gateway/agent-releases';
import { FIELD_MANAGER, type ApiConnection } from './api-connection.ts';
import { hasStatus, isAbsent, refusalOf } from './api-failure.ts';
import { collectionPath, isPlace, objectPath, type ApiKind } from './api-kind.ts';
import { readObject, type ObjectReads } from './object-reads.ts';

type StoredObject = Stored<KubernetesObject>;

const nameOf = ({ metadata: { namespace, name } }: KubernetesObject): ObjectName => ({
  namespace,
  name,
});

const AS_MANAGER = { fieldManager: FIELD_MANAGER };

/** Writes objects as whoever asks for them means it: a plain create, a replace at one version, a delete. Nothing is tried twice. */
export class ObjectWrites {
  readonly #connection: ApiConnection;
  readonly #reads: ObjectReads;
  readonly #ready: () => Promise<void>;

  /** @param ready what every write waits for */
  constructor(connection: ApiConnection, reads: ObjectReads, ready: () => Promise<void>) {
    this.#connection = connection;
    this.#reads = reads;
    this.#ready = ready;
  }

  /** `undefined`: there is one of this name. */
  async create(kind: ApiKind, object: KubernetesObject): Promise<Answer<StoredObject | undefined>> {
    await this.#ready();
    const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
    const answer = await this.#connection.ask({
      method: 'POST',
      path: collectionPath(kind, object.metadata.namespace),
      query: AS_MANAGER,
      body: { ...object, metadata },
    });
    const created = readObject(answer, kind);
    if (created.ok) return { ok: true, value: this.#reads.known.same(kind, created.value) };
    if (hasStatus(created.failure, 409)) return { ok: true, value: undefined };
    return refusalOf(created.failure, { verb: 'create', kind, ...nameOf(object) });
  }

  /** `undefined`: the object is no longer at this revision, or is gone. */
  async replace(
    kind: ApiKind,
    object: KubernetesObject,
    revision: string,
  ): Promise<Answer<StoredObject | undefined>> {
    const name = nameOf(object);
    if (!isPlace(name)) return { ok: true, value: undefined };
    await this.#ready();
    const answer = await this.#connection.ask({
      method: 'PUT',
      path: objectPath(kind, name),
      query: AS_MANAGER,
      body: { ...object, metadata: { ...object.metadata, resourceVersion: revision } },
    });
    const replaced = readObject(answer, kind);
    if (replaced.ok) return { ok: true, value: this.#reads.known.same(kind, replaced.value) };
    const { failure } = replaced;
    if (hasStatus(failure, 409) || isAbsent(failure, kind, name))
      return { ok: true, value: undefined };
    return refusalOf(failure, { verb: 'replace', kind, ...name });
  }

  /** `false`: there was none. */
  async delete(kind: ApiKind, object: ObjectName): Promise<Answer<boolean>> {
    if (!isPlace(object)) return { ok: true, value: false };
    await this.#ready();
    const answer = await this.#connection.ask({ method: 'DELETE', path: objectPath(kind, object) });
    if (answer.ok) return { ok: true, value: true };
    if (isAbsent(answer.failure, kind, object)) return { ok: true, value: false };
    return refusalOf(answer.failure, { verb: 'delete', kind, ...object });
  }
}
