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

/** What changed in a store, by whomever. */
export interface StoreChange {
  readonly kind: 'HelmRelease' | 'OCIRepository';
  readonly object: ObjectName;
  readonly change: 'written' | 'deleted';
}

/**
 * Where releases are kept: a directory or the Kubernetes API. One suite of tests holds for both. Reads show what anybody has
 * written before they were asked. Never rejects: what fails is a refusal (`conflict`, `forbidden`, `unauthenticated`, `backend_error`).
 */
export interface AgentStore {
  /** Releases of a namespace, sorted by name. One that did not change is the same object as before. */
  readonly listReleases: (namespace: string) => Promise<Answer<readonly Stored<HelmRelease>[]>>;
  readonly getRelease: (name: ObjectName) => Promise<Answer<Stored<HelmRelease> | undefined>>;
  /** Refused with `conflict` where there is one of this name. */
  readonly createRelease: (release: HelmRelease) => Promise<Answer<Stored<HelmRelease>>>;
  /** Refused with `conflict` where the release is no longer at this revision or is gone. What did not change stays as it is written. */
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
  /** Tells of every change in these namespaces from now on, until the returned function is called. Must not throw. */
  readonly watch: (
    namespaces: readonly string[],
    listener: (change: StoreChange) => void,
  ) => () => void;
  /** Whether the store can be reached. */
  readonly check: () => Promise<Answer<true>>;
  readonly close: () => Promise<void>;
}
