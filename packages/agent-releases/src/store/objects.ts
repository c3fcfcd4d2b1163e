/** Plain JSON of an object, unknown fields included. */
export type Json = Readonly<Record<string, unknown>>;

/** Which object. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** What all objects carry. Read leniently: they are written by others too. */
export interface KubernetesObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  } & Json;
  readonly spec?: Json;
  readonly status?: Json;
}

/** A Flux `HelmRelease`: one agent. */
export type HelmRelease = KubernetesObject;
/** A Flux `OCIRepository`: where the agents of a namespace have their chart from. */
export type OciRepository = KubernetesObject;
/** The agent itself, as the chart renders it for the agent runtime. */
export type AgentResource = KubernetesObject;
/** A model that agents of its namespace may use. */
export type ModelConfig = KubernetesObject;

/** An object and the version at which it was read, which a write names. */
export interface Stored<T> {
  readonly object: T;
  /** Opaque; differs whenever anything of the object differs. */
  readonly revision: string;
}

/** The models of a namespace. */
export interface ModelConfigs {
  readonly listed: readonly ModelConfig[];
  /** Nobody lists models here, so that every name is taken. */
  readonly isOpen: boolean;
}

/** What runs of an agent, as the cluster tells it. */
export interface Workload {
  /** The Deployment named after the agent. */
  readonly deployment: KubernetesObject | undefined;
  /** Pods with the label `kagent=<name>`. */
  readonly pods: readonly KubernetesObject[];
  /** Events about the agent, its release, its Deployment and its pods, in any order. */
  readonly events: readonly KubernetesObject[];
}
