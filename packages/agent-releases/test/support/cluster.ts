import type { AgentStore } from '../../src/store/agent-store.ts';
import { startTestCluster, type ApiServerOptions, type TestCluster } from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
import {
  type KubernetesReleasesOptions,
  openKubernetesReleases,
} from '../../src/kubernetes/kubernetes-store.ts';

/** A cluster for one test. */
export interface Cluster extends TestCluster {
  readonly warnings: readonly string[];
  /** Opens a store that the end of the test closes. */
  readonly open: (options?: Partial<KubernetesReleasesOptions>) => Promise<AgentStore>;
}

/** Opens a store that the end of the test closes. */
export const openStore = async (
  options: Partial<KubernetesReleasesOptions>,
): Promise<AgentStore> => {
  const opened = await openKubernetesReleases({ namespaces: ['default', 'tenant'], ...options });
  if (!opened.ok) throw new Error(opened.problem);
  onTestFinished(() => opened.store.close());
  return opened.store;
};

/** Starts a cluster that the end of the test stops. */
export const startCluster = async (options: ApiServerOptions = {}): Promise<Cluster> => {
  const cluster = await startTestCluster(options);
  const warnings: string[] = [];
  const onWarning = (sentence: string): void => void warnings.push(sentence);
  return {
    ...cluster,
    warnings,
    open: (given = {}) => openStore({ kubeconfig: cluster.kubeconfig, onWarning, ...given }),
  };
};
