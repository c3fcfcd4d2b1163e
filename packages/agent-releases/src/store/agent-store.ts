import type { ClientOutcome, AgentRefusal } from '@gateway/agent-manager-client';
import type { ApiObject as KubernetesObject } from '@gateway/kube-client';

export type { KubernetesObject };

/** Plain JSON of an object, unknown fields included. */
export type Json = Readonly<Record<string, unknown>>;

/** Identifies an object of one kind. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** A Flux `HelmRelease`: one agent. */
export type HelmRelease = KubernetesObject;
/** A Flux `OCIRepository`: the source of the chart of a namespace. */
export type OciRepository = KubernetesObject;
/** The agent itself, as the chart renders it for the agent runtime. */
export type AgentResource = KubernetesObject;
/** A model that agents of its namespace may use. */
export type ModelConfig = KubernetesObject;

/** An object and its version, which a write must name. */
export interface Stored<T> {
  readonly object: T;
  /** Opaque; differs whenever anything of the object differs. */
  readonly revision: string;
}

/** The models of a namespace. */
export interface ModelConfigs {
  readonly listed: readonly ModelConfig[];
  /** The namespace has no list, so that every name is accepted. */
  readonly isOpen: boolean;
}

/** The workload of an agent in the cluster. */
export interface Workload {
  /** The Deployment named after the agent. */
  readonly deployment: KubernetesObject | undefined;
  /** Pods with the label `kagent=<name>`. */
  readonly pods: readonly KubernetesObject[];
  /** Events about the agent, its release, its Deployment and its pods, in any order. */
  readonly events: readonly KubernetesObject[];
}

/** Versions of the kinds that agents are made of. */
export const API_VERSIONS = {
  agent: 'kagent.dev/v1alpha2',
  modelConfig: 'kagent.dev/v1alpha2',
  helmRelease: 'helm.toolkit.fluxcd.io/v2',
  ociRepository: 'source.toolkit.fluxcd.io/v1',
} as const;

/** A change in a store by any client. */
export interface StoreChange {
  readonly kind: 'HelmRelease' | 'OCIRepository';
  readonly object: ObjectName;
  readonly change: 'written' | 'deleted';
}

/**
 * The port to the store of releases: a directory or the Kubernetes API. Every adapter passes one test suite. A read reflects every earlier
 * write of any client. Never rejects: a failure is a refusal (`conflict`, `forbidden`, `unauthenticated`, `backend_error`).
 */
export interface AgentStore {
  /** Releases of a namespace, sorted by name. One that did not change is the same object as before. */
  readonly listReleases: (
    namespace: string,
  ) => Promise<ClientOutcome<readonly Stored<HelmRelease>[]>>;
  readonly getRelease: (
    name: ObjectName,
  ) => Promise<ClientOutcome<Stored<HelmRelease> | undefined>>;
  /** Creates a release. Refused with `conflict` when the name is in use. */
  readonly createRelease: (release: HelmRelease) => Promise<ClientOutcome<Stored<HelmRelease>>>;
  /** Replaces a release and preserves unchanged text. Refused with `conflict` when it has another revision or is missing. */
  readonly replaceRelease: (
    release: HelmRelease,
    revision: string,
  ) => Promise<ClientOutcome<Stored<HelmRelease>>>;
  /** `false`: there was none. */
  readonly deleteRelease: (name: ObjectName) => Promise<ClientOutcome<boolean>>;
  readonly listAgents: (namespace: string) => Promise<ClientOutcome<readonly AgentResource[]>>;
  readonly getAgent: (name: ObjectName) => Promise<ClientOutcome<AgentResource | undefined>>;
  /** `false`: there was none. */
  readonly deleteAgent: (name: ObjectName) => Promise<ClientOutcome<boolean>>;
  readonly getSource: (name: ObjectName) => Promise<ClientOutcome<OciRepository | undefined>>;
  /** `false`: there is one of this name already, which stays. */
  readonly createSource: (source: OciRepository) => Promise<ClientOutcome<boolean>>;
  /** `false`: there was none. */
  readonly deleteSource: (name: ObjectName) => Promise<ClientOutcome<boolean>>;
  readonly modelConfigs: (namespace: string) => Promise<ClientOutcome<ModelConfigs>>;
  readonly workload: (name: ObjectName) => Promise<ClientOutcome<Workload>>;
  /** Reports every change in these namespaces until the returned function is called. The listener must not throw. */
  readonly watch: (
    namespaces: readonly string[],
    listener: (change: StoreChange) => void,
  ) => () => void;
  /** Checks that the store can be reached. */
  readonly check: () => Promise<ClientOutcome<true>>;
  readonly close: () => Promise<void>;
}

/** Waits before an object is read again. */
export type Wait = (milliseconds: number) => Promise<void>;

/** Flux needs about one second to remove an agent. A caller waits at most five seconds. */
const LOOKS = 20;
const PAUSE_MS = 250;

/**
 * Retries until there is a result, for at most five seconds. Does not retry when the caller cannot wait.
 * @returns undefined without a result
 */
export const retryUntilDecided = async <T>(
  wait: Wait | undefined,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  for (let looks = 1; ; looks += 1) {
    const result = await look();
    if (result !== undefined || wait === undefined || looks >= LOOKS) return result;
    await wait(PAUSE_MS);
  }
};

/** An open store, or the reason why it cannot be opened. */
export type OpenedReleases =
  | { readonly ok: true; readonly store: AgentStore }
  | { readonly ok: false; readonly problem: string };

/** The stores of callers in one cluster. */
export interface CallerReleases {
  /** Returns the store whose requests carry this token. Concurrent and later calls with a token share a store; closing it has no effect. */
  readonly getStore: (token: string) => AgentStore;
  /** Checks that the API answers, without credentials: a refusal is an answer. */
  readonly check: AgentStore['check'];
  /** Ends the running requests of all stores. */
  readonly close: () => Promise<void>;
}

/** The open stores of callers, or the reason why they cannot be opened. */
export type OpenedCallerReleases =
  | { readonly ok: true; readonly releases: CallerReleases }
  | { readonly ok: false; readonly problem: string };

/** Returns an answer with its value mapped. */
export const mapOutcome = <T, U>(
  answer: ClientOutcome<T>,
  map: (value: T) => U,
): ClientOutcome<U> => (answer.ok ? { ok: true, value: map(answer.value) } : answer);

/** Returns the written value, or the conflict when nothing was written. */
export const resolveWrite = <T>(
  answer: ClientOutcome<T | undefined>,
  conflict: AgentRefusal,
): ClientOutcome<T> => {
  if (!answer.ok) return answer;
  return answer.value === undefined
    ? { ok: false, error: conflict }
    : { ok: true, value: answer.value };
};

/** Returns the object without its revision. */
export const toStoredObject = (
  stored: Stored<KubernetesObject> | undefined,
): KubernetesObject | undefined => stored?.object;
