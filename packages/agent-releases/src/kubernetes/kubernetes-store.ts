import { createHash } from 'node:crypto';
import { type ClientOutcome, REFUSALS } from '@gateway/agent-manager-client';
import {
  type ApiConnection,
  type CallerConnections,
  formatCollectionPath,
  connectCallers,
  connectToCluster,
  toFields,
  Informer,
  isObjectName,
  ObjectCache,
} from '@gateway/kube-client';
import { LRUCache } from 'lru-cache';
import {
  type AgentStore,
  type CallerReleases,
  type KubernetesObject,
  mapOutcome,
  type ObjectName,
  toStoredObject,
  type OpenedCallerReleases,
  type OpenedReleases,
  type StoreChange,
  type Stored,
  type Workload,
  resolveWrite,
} from '../store/agent-store.ts';
import { API_KINDS } from './api-kinds.ts';
import {
  type Actor,
  formatRequestFailure,
  MAX_PODS_WITH_EVENTS,
  ApiObjects,
  createRequestRefuser,
  type RefuseRequest,
} from './api-objects.ts';

const WATCHED = ['HelmRelease', 'OCIRepository'] as const;

type Listener = (change: StoreChange) => void;

/** The informers of a store: one per watched kind and namespace of each listener. */
class ReleaseInformers {
  readonly #informers = new Set<Informer>();
  readonly #connection: ApiConnection;
  readonly #onWarning: (sentence: string) => void;

  constructor(connection: ApiConnection, onWarning: (sentence: string) => void) {
    this.#connection = connection;
    this.#onWarning = onWarning;
  }

  /** Reports changes to the listener, which must not throw. Returns a function that stops the reports. */
  start(namespaces: readonly string[], listener: Listener): () => void {
    const informers = [...new Set(namespaces)].flatMap((namespace) =>
      WATCHED.map((kind) => this.#start(namespace, kind, listener)),
    );
    return () => {
      for (const informer of informers) this.#stop(informer);
    };
  }

  /** Resolves when every informer reports changes or has failed once, so that all of them report later writes. */
  async waitForSync(): Promise<void> {
    await Promise.all([...this.#informers].map((informer) => informer.waitForSync()));
  }

  /** Stops every informer. */
  close(): void {
    for (const informer of this.#informers) this.#stop(informer);
  }

  #start(namespace: string, kind: (typeof WATCHED)[number], listener: Listener): Informer {
    const informer = new Informer(this.#connection, {
      kind: API_KINDS[kind],
      namespace,
      onChange: (name, change) => listener({ kind, object: { namespace, name }, change }),
      onFailure: (failure, verb) =>
        this.#onWarning(formatRequestFailure(failure, { verb, kind: API_KINDS[kind], namespace })),
    });
    this.#informers.add(informer);
    return informer;
  }

  #stop(informer: Informer): void {
    informer.stop();
    this.#informers.delete(informer);
  }
}

const MAX_LABEL_VALUE_CHARS = 63;
const EVENT_KINDS: ReadonlySet<unknown> = new Set(['Agent', 'HelmRelease', 'Deployment', 'Pod']);

const isRelevant = (event: KubernetesObject): boolean =>
  EVENT_KINDS.has(toFields((event as { involvedObject?: unknown }).involvedObject)['kind']);

const listEvents = (reads: ApiObjects, { namespace, name }: ObjectName) =>
  reads.list({
    kind: API_KINDS.Event,
    namespace,
    selector: { fieldSelector: `involvedObject.name=${name}` },
  });

/** Returns all values, or the first refusal. */
const uniteOutcomes = <T>(
  answers: readonly ClientOutcome<readonly T[]>[],
): ClientOutcome<readonly T[]> => {
  const refusal = answers.find((answer) => !answer.ok);
  if (refusal !== undefined) return refusal;
  return { ok: true, value: answers.flatMap((answer) => (answer.ok ? answer.value : [])) };
};

/** Reads the workload of an agent: its Deployment, its pods, and the events of both, of the release and of the agent. */
const readWorkload = async (
  reads: ApiObjects,
  object: ObjectName,
): Promise<ClientOutcome<Workload>> => {
  const { namespace, name } = object;
  if (!isObjectName(name) || name.length > MAX_LABEL_VALUE_CHARS)
    return { ok: true, value: { deployment: undefined, pods: [], events: [] } };
  const [deployment, pods, named] = await Promise.all([
    reads.get(API_KINDS.Deployment, object),
    reads.list({ kind: API_KINDS.Pod, namespace, selector: { labelSelector: `kagent=${name}` } }),
    listEvents(reads, object),
  ]);
  if (!deployment.ok) return deployment;
  if (!pods.ok) return pods;
  const podEvents = await Promise.all(
    pods.value
      .slice(0, MAX_PODS_WITH_EVENTS)
      .map((pod) => listEvents(reads, { namespace, name: pod.object.metadata.name })),
  );
  const events = uniteOutcomes([named, ...podEvents]);
  if (!events.ok) return events;
  return {
    ok: true,
    value: {
      deployment: deployment.value?.object,
      pods: pods.value.map((pod) => pod.object),
      events: events.value.map((event) => event.object).filter(isRelevant),
    },
  };
};

/** The connection and settings of a store. */
interface KubernetesStoreParts {
  readonly connection: ApiConnection;
  /** Shared by stores of one cluster; a new one when absent. */
  readonly cache?: ObjectCache;
  /** The managed namespaces. */
  readonly namespaces: readonly string[];
  readonly onWarning: (sentence: string) => void;
  /** `agent-manager` when absent. */
  readonly actor?: Actor;
}

const unwrapObjects = (all: readonly Stored<KubernetesObject>[]): readonly KubernetesObject[] =>
  all.map(({ object }) => object);

/** Checks that releases can be listed in each namespace. Fails when the API is down, has no releases or forbids reading them. */
const checkReleaseAccess = async (
  connection: ApiConnection,
  namespaces: readonly string[],
  refuse: RefuseRequest,
): Promise<ClientOutcome<true>> => {
  const kind = API_KINDS.HelmRelease;
  const responses = await Promise.all(
    namespaces.map(async (namespace): Promise<ClientOutcome<true>> => {
      const path = formatCollectionPath(kind, namespace);
      const response = await connection.send({ method: 'GET', path, query: { limit: '1' } });
      if (response.ok) return { ok: true, value: true };
      return refuse(response.failure, { verb: 'list', kind, namespace });
    }),
  );
  return responses.find((response) => !response.ok) ?? { ok: true, value: true };
};

/** Returns the store over a connection to the Kubernetes API. */
const createKubernetesStore = (parts: KubernetesStoreParts): AgentStore => {
  const { connection, cache = new ObjectCache(), namespaces, onWarning } = parts;
  const { HelmRelease, OCIRepository, Agent, ModelConfig } = API_KINDS;
  const refuse = createRequestRefuser(parts.actor ?? 'agent-manager');
  const informers = new ReleaseInformers(connection, onWarning);
  const objects = new ApiObjects(connection, cache, refuse, () => informers.waitForSync());
  return {
    listReleases: (namespace) => objects.listAll(HelmRelease, namespace),
    getRelease: (name) => objects.get(HelmRelease, name),
    createRelease: async (release) =>
      resolveWrite(
        await objects.create(HelmRelease, release),
        REFUSALS.releaseExists(release.metadata),
      ),
    replaceRelease: async (release, revision) =>
      resolveWrite(
        await objects.replace(HelmRelease, release, revision),
        REFUSALS.releaseChanged(release.metadata),
      ),
    deleteRelease: (name) => objects.delete(HelmRelease, name),
    listAgents: async (namespace) =>
      mapOutcome(await objects.listAll(Agent, namespace), unwrapObjects),
    getAgent: async (name) => mapOutcome(await objects.get(Agent, name), toStoredObject),
    deleteAgent: (name) => objects.delete(Agent, name),
    getSource: async (name) => mapOutcome(await objects.get(OCIRepository, name), toStoredObject),
    createSource: async (source) =>
      mapOutcome(await objects.create(OCIRepository, source), (created) => created !== undefined),
    deleteSource: (name) => objects.delete(OCIRepository, name),
    modelConfigs: async (namespace) =>
      mapOutcome(await objects.listAll(ModelConfig, namespace), (all) => ({
        listed: unwrapObjects(all),
        isOpen: false,
      })),
    workload: (name) => readWorkload(objects, name),
    watch: (watched, listener) => informers.start(watched, listener),
    check: () => checkReleaseAccess(connection, namespaces, refuse),
    close: () => {
      informers.close();
      connection.close();
      return Promise.resolve();
    },
  };
};

/** The cluster and the namespaces of a store. */
export interface KubernetesReleasesOptions {
  /** The managed namespaces. */
  readonly namespaces: readonly [string, ...string[]];
  /** The path of a kubeconfig file. When absent: `KUBECONFIG`, the service account of the pod, `~/.kube/config`. */
  readonly kubeconfig?: string;
  /** Called once per outage of a watch, with a sentence without credentials. Must not throw. */
  readonly onWarning?: (sentence: string) => void;
  /** The time limit of a request, in milliseconds; 10,000 when absent. */
  readonly timeoutMs?: number;
}

/** The field manager of objects. */
const FIELD_MANAGER = 'agent-manager';

/**
 * Opens a store of agents in a Kubernetes cluster. Reads the configuration and loads the client library, but sends no request: `check`
 * does.
 */
export const openKubernetesReleases = async ({
  namespaces,
  onWarning = () => undefined,
  ...options
}: KubernetesReleasesOptions): Promise<OpenedReleases> => {
  const connected = await connectToCluster({ ...options, fieldManager: FIELD_MANAGER });
  if (!connected.ok) return connected;
  const { connection } = connected;
  return { ok: true, store: createKubernetesStore({ connection, namespaces, onWarning }) };
};

/** Maximum number of callers with a store in memory; the least recently used store is evicted. */
const MAX_STORES = 256;
/** A store that is idle for this time is evicted together with its token. */
const IDLE_MS = 5 * 60_000;

const REFUSES_ANONYMOUS: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden']);

/** The key is a digest, so that the keys of the cache contain no token. */
const computeTokenKey = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

/** Returns a check that also passes when the API refuses the request for its missing credentials. */
const createReachabilityCheck = (store: AgentStore) => async (): Promise<ClientOutcome<true>> => {
  const answer = await store.check();
  const isReachable = answer.ok || REFUSES_ANONYMOUS.has(answer.error.code);
  return isReachable ? { ok: true, value: true } : answer;
};

const createCallerReleases = (
  connections: CallerConnections,
  { namespaces, onWarning = () => undefined }: KubernetesReleasesOptions,
): CallerReleases => {
  const cache = new ObjectCache();
  const stores = new LRUCache<string, AgentStore>({
    max: MAX_STORES,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
  });
  const anonymous = createKubernetesStore({
    connection: connections.anonymous,
    namespaces,
    onWarning,
  });
  return {
    getStore: (token) => {
      const key = computeTokenKey(token);
      const known = stores.get(key);
      if (known !== undefined) return known;
      const connection = connections.as(token);
      const store = createKubernetesStore({
        connection,
        cache,
        namespaces,
        onWarning,
        actor: 'caller',
      });
      stores.set(key, store);
      return store;
    },
    check: createReachabilityCheck(anonymous),
    close: () => {
      stores.clear();
      connections.close();
      return Promise.resolve();
    },
  };
};

/**
 * Opens stores of agents in a Kubernetes cluster, one for each caller. Requests carry the token of the caller and no other credential, so that
 * the cluster decides what the caller may do. Reads the configuration and loads the client library, but sends no request.
 */
export const openCallerReleases = async (
  options: KubernetesReleasesOptions,
): Promise<OpenedCallerReleases> => {
  const { kubeconfig, timeoutMs } = options;
  const connected = await connectCallers({
    fieldManager: FIELD_MANAGER,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  return connected.ok
    ? { ok: true, releases: createCallerReleases(connected.connections, options) }
    : connected;
};
