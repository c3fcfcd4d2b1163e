/** Plain JSON of an object, unknown fields included. */
export type Json = Readonly<Record<string, unknown>>;

/** Identifies an object of one kind. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

/** The fields of every object. They may have any shape, because other clients write them too. */
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
