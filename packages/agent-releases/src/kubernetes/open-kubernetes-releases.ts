import { connectToCluster } from '@gateway/kube-client';
import type { OpenedReleases } from '../results/opened-releases.ts';
import { kubernetesStore } from './kubernetes-store.ts';

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

/** The field manager of writes. */
export const FIELD_MANAGER = 'agent-manager';

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
  return { ok: true, store: kubernetesStore({ connection, namespaces, onWarning }) };
};
