import { type ClientOutcome, refuse } from '@gateway/agent-manager-client';
import {
  type ApiConnection,
  type ApiFailure,
  type ApiKind,
  type ApiResult,
  formatApiVersion,
  formatCollectionPath,
  toFailure,
  hasStatus,
  isNotFound,
  isObjectKey,
  isObjectName,
  listObjects,
  type ListRequest,
  type ObjectCache,
  type ObjectList,
  formatObjectPath,
  SharedReads,
  parseVersionedObject,
} from '@gateway/kube-client';
import type { KubernetesObject, ObjectName, Stored } from '../store/agent-store.ts';
import type { AgentApiKind } from './api-kinds.ts';

/** The maximum length of a message of the Kubernetes API that is passed on, in characters. */
const MAX_MESSAGE_CHARS = 2_000;
/** The number of pods of one agent whose events are read. */
export const MAX_PODS_WITH_EVENTS = 20;

type ApiRefusal = Extract<ApiFailure, { kind: 'refused' }>;

/** A request, for messages about its failure. */
interface RequestFacts {
  /** Such as `read` or `list`. */
  readonly verb: string;
  readonly kind: AgentApiKind;
  readonly namespace: string;
  /** Absent for a request about all objects of the kind. */
  readonly name?: string;
}

const shortenMessage = (text: string): string =>
  text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;

const formatRequestTarget = ({ kind, namespace, name }: RequestFacts): string =>
  name === undefined
    ? `${kind.plural} in namespace ${namespace}`
    : `${kind.kind} ${namespace}/${name}`;

const formatApiRefusal = (
  { status, message, name }: ApiRefusal,
  { kind }: RequestFacts,
): string => {
  if (status === 404 && name === undefined)
    return `it does not serve ${kind.kind} of ${formatApiVersion(kind)}, which comes with ${kind.installedBy}`;
  return message === undefined
    ? `it answered ${status}`
    : `it answered ${status}: ${shortenMessage(message)}`;
};

const formatFailureReason = (failure: ApiFailure, request: RequestFacts): string => {
  switch (failure.kind) {
    case 'refused':
      return formatApiRefusal(failure, request);
    case 'broken':
      return `the connection failed (${failure.code})`;
    case 'late':
      return `it did not answer within ${failure.afterMs} ms`;
    case 'too-large':
      return `its answer is larger than ${failure.maxBytes} bytes`;
    case 'too-many':
      return `there are more than ${failure.max}`;
    case 'unreadable':
      return 'its answer is not what was asked for';
    case 'no-credentials':
      return `there are no credentials for it${failure.code === undefined ? '' : ` (${failure.code})`}`;
    case 'closed':
      return 'the store is closed';
  }
};

/** Returns a sentence about a failure that names the request, without addresses and credentials. */
export const formatRequestFailure = (failure: ApiFailure, request: RequestFacts): string =>
  `the Kubernetes API could not ${request.verb} ${formatRequestTarget(request)}: ${formatFailureReason(failure, request)}`;

/** The identity of requests: agent-manager with its own credentials, or the caller. */
export type Actor = 'agent-manager' | 'caller';

/** Returns the refusal for a failed request. */
export type RefuseRequest = (
  failure: ApiFailure,
  request: RequestFacts,
) => Extract<ClientOutcome<never>, { ok: false }>;

const UNAUTHENTICATED: Readonly<Record<Actor, string>> = {
  'agent-manager': 'the Kubernetes API does not accept the credentials of agent-manager',
  caller: 'the Kubernetes API does not accept your identity token',
};

const FORBIDDEN: Readonly<Record<Actor, string>> = {
  'agent-manager': 'agent-manager may not',
  caller: 'you may not',
};

/** Returns the function that turns a failure into a refusal. */
export const createRequestRefuser =
  (actor: Actor): RefuseRequest =>
  (failure, request) => {
    if (failure.kind !== 'refused')
      return refuse('backend_error', formatRequestFailure(failure, request));
    if (failure.status === 401) return refuse('unauthenticated', UNAUTHENTICATED[actor]);
    if (failure.status !== 403)
      return refuse('backend_error', formatRequestFailure(failure, request));
    const sentence = `${FORBIDDEN[actor]} ${request.verb} ${formatRequestTarget(request)}`;
    return refuse('forbidden', shortenMessage(failure.message ?? sentence));
  };

type StoredObject = Stored<KubernetesObject>;

/** Returns the object of a response; a response without one is unreadable. */
const readObject = (
  response: ApiResult<Readonly<Record<string, unknown>>>,
  kind: ApiKind,
): ApiResult<StoredObject> => {
  if (!response.ok) return response;
  const object = parseVersionedObject(response.value, kind);
  return object === undefined ? toFailure({ kind: 'unreadable' }) : { ok: true, value: object };
};

const compareByName = (a: StoredObject, b: StoredObject): number =>
  a.object.metadata.name < b.object.metadata.name ? -1 : 1;

const toObjectName = ({ metadata: { namespace, name } }: KubernetesObject): ObjectName => ({
  namespace,
  name,
});

/** Reads and writes objects of the API. An unchanged object is the same JavaScript object as before. Never retries. */
export class ApiObjects {
  readonly #cache: ObjectCache;
  readonly #refuse: RefuseRequest;
  readonly #ready: () => Promise<void>;
  readonly #lists = new SharedReads<ApiResult<ObjectList>>();
  readonly #connection: ApiConnection;

  /**
   * @param cache may be shared by connections to one cluster: it returns an object only to a caller that has read the same version
   * @param ready awaited before every write
   */
  constructor(
    connection: ApiConnection,
    cache: ObjectCache,
    refuse: RefuseRequest,
    ready: () => Promise<void>,
  ) {
    this.#connection = connection;
    this.#cache = cache;
    this.#refuse = refuse;
    this.#ready = ready;
  }

  /** Returns an object; undefined when it does not exist or cannot have this name. */
  async get(
    kind: AgentApiKind,
    object: ObjectName,
  ): Promise<ClientOutcome<StoredObject | undefined>> {
    if (!isObjectKey(object)) return { ok: true, value: undefined };
    const response = await this.#connection.send({
      method: 'GET',
      path: formatObjectPath(kind, object),
    });
    const read = readObject(response, kind);
    if (read.ok) return { ok: true, value: this.#cache.same(kind, read.value) };
    if (!isNotFound(read.failure, kind, object))
      return this.#refuse(read.failure, { verb: 'read', kind, ...object });
    this.#cache.delete(kind, object);
    return { ok: true, value: undefined };
  }

  /** Lists selected objects, sorted by name. */
  async list(
    request: ListRequest & { readonly kind: AgentApiKind; readonly namespace: string },
  ): Promise<ClientOutcome<readonly StoredObject[]>> {
    const { kind, namespace } = request;
    if (!isObjectName(namespace)) return { ok: true, value: [] };
    const list = await listObjects(this.#connection, request);
    if (!list.ok) return this.#refuse(list.failure, { verb: 'list', kind, namespace });
    return { ok: true, value: [...list.value.objects].sort(compareByName) };
  }

  /** Lists all objects of a kind in a namespace, sorted by name. Concurrent callers share a list. */
  async listAll(
    kind: AgentApiKind,
    namespace: string,
  ): Promise<ClientOutcome<readonly StoredObject[]>> {
    if (!isObjectName(namespace)) return { ok: true, value: [] };
    const list = await this.#lists.read(`${kind.resource}/${namespace}`, () =>
      this.#listCached(kind, namespace),
    );
    return list.ok
      ? { ok: true, value: list.value.objects }
      : this.#refuse(list.failure, { verb: 'list', kind, namespace });
  }

  async #listCached(kind: ApiKind, namespace: string): Promise<ApiResult<ObjectList>> {
    const list = await listObjects(this.#connection, { kind, namespace });
    if (!list.ok) return list;
    const { objects, revision } = list.value;
    const sorted = [...objects].sort(compareByName);
    return {
      ok: true,
      value: { objects: this.#cache.sameList(kind, namespace, sorted), revision },
    };
  }

  /** Creates an object. Returns undefined when its name is in use. */
  async create(
    kind: AgentApiKind,
    object: KubernetesObject,
  ): Promise<ClientOutcome<StoredObject | undefined>> {
    await this.#ready();
    const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
    const response = await this.#connection.send({
      method: 'POST',
      path: formatCollectionPath(kind, object.metadata.namespace),
      query: this.#query,
      body: { ...object, metadata },
    });
    const created = readObject(response, kind);
    if (created.ok) return { ok: true, value: this.#cache.same(kind, created.value) };
    if (hasStatus(created.failure, 409)) return { ok: true, value: undefined };
    return this.#refuse(created.failure, { verb: 'create', kind, ...toObjectName(object) });
  }

  /** Replaces an object. Returns undefined when it has another revision or does not exist. */
  async replace(
    kind: AgentApiKind,
    object: KubernetesObject,
    revision: string,
  ): Promise<ClientOutcome<StoredObject | undefined>> {
    const name = toObjectName(object);
    if (!isObjectKey(name)) return { ok: true, value: undefined };
    await this.#ready();
    const response = await this.#connection.send({
      method: 'PUT',
      path: formatObjectPath(kind, name),
      query: this.#query,
      body: { ...object, metadata: { ...object.metadata, resourceVersion: revision } },
    });
    const replaced = readObject(response, kind);
    if (replaced.ok) return { ok: true, value: this.#cache.same(kind, replaced.value) };
    const { failure } = replaced;
    if (hasStatus(failure, 409) || isNotFound(failure, kind, name))
      return { ok: true, value: undefined };
    return this.#refuse(failure, { verb: 'replace', kind, ...name });
  }

  /** Deletes an object. Returns false when it does not exist. */
  async delete(kind: AgentApiKind, object: ObjectName): Promise<ClientOutcome<boolean>> {
    if (!isObjectKey(object)) return { ok: true, value: false };
    await this.#ready();
    const response = await this.#connection.send({
      method: 'DELETE',
      path: formatObjectPath(kind, object),
    });
    if (response.ok) return { ok: true, value: true };
    if (isNotFound(response.failure, kind, object)) return { ok: true, value: false };
    return this.#refuse(response.failure, { verb: 'delete', kind, ...object });
  }

  get #query(): Readonly<Record<string, string>> {
    return { fieldManager: this.#connection.fieldManager };
  }
}
