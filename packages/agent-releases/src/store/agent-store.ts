import type { Answer } from '@gateway/agent-manager-client';
import type {
  AgentResource,
  HelmRelease,
  ModelConfigs,
  ObjectName,
  OciRepository,
  Stored,
  Workload,
} from './objects.ts';

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
  readonly listReleases: (namespace: string) => Promise<Answer<readonly Stored<HelmRelease>[]>>;
  readonly getRelease: (name: ObjectName) => Promise<Answer<Stored<HelmRelease> | undefined>>;
  /** Creates a release. Refused with `conflict` when the name is in use. */
  readonly createRelease: (release: HelmRelease) => Promise<Answer<Stored<HelmRelease>>>;
  /** Replaces a release and preserves unchanged text. Refused with `conflict` when it has another revision or is missing. */
  readonly replaceRelease: (
    release: HelmRelease,
    revision: string,
  ) => Promise<Answer<Stored<HelmRelease>>>;
  /** `false`: there was none. */
  readonly deleteRelease: (name: ObjectName) => Promise<Answer<boolean>>;
  readonly listAgents: (namespace: string) => Promise<Answer<readonly AgentResource[]>>;
  readonly getAgent: (name: ObjectName) => Promise<Answer<AgentResource | undefined>>;
  /** `false`: there was none. */
  readonly deleteAgent: (name: ObjectName) => Promise<Answer<boolean>>;
  readonly getSource: (name: ObjectName) => Promise<Answer<OciRepository | undefined>>;
  /** `false`: there is one of this name already, which stays. */
  readonly createSource: (source: OciRepository) => Promise<Answer<boolean>>;
  /** `false`: there was none. */
  readonly deleteSource: (name: ObjectName) => Promise<Answer<boolean>>;
  readonly modelConfigs: (namespace: string) => Promise<Answer<ModelConfigs>>;
  readonly workload: (name: ObjectName) => Promise<Answer<Workload>>;
  /** Reports every change in these namespaces until the returned function is called. The listener must not throw. */
  readonly watch: (
    namespaces: readonly string[],
    listener: (change: StoreChange) => void,
  ) => () => void;
  /** Checks that the store can be reached. */
  readonly check: () => Promise<Answer<true>>;
  readonly close: () => Promise<void>;
}
