import type { OpenedReleases } from '../opened-releases.ts';
import { openConnection } from './api-connection.ts';
import { kubernetesStore } from './kubernetes-store.ts';
import { readKubeconfig } from './read-kubeconfig.ts';

/** Which cluster, and what of it. */
export interface KubernetesReleasesOptions {
  /** Managed namespaces. */
  readonly namespaces: readonly [string, ...string[]];
  /** Path of a kubeconfig file. Left out: `KUBECONFIG`, the service account of the pod, else `~/.kube/config`. */
  readonly kubeconfig?: string;
  /** Told when a watch no longer gets on, as a sentence without credentials. Must not throw. */
  readonly onWarning?: (sentence: string) => void;
  /** How long the Kubernetes API may take to answer, in milliseconds; 10,000 unless given. */
  readonly timeoutMs?: number;
}

/**
 * A store of agents in a Kubernetes cluster. Reads the configuration and asks the cluster nothing yet: `check` does.
 * The client library is loaded now.
 */
export const openKubernetesReleases = async (
  options: KubernetesReleasesOptions,
): Promise<OpenedReleases> => {
  const { namespaces, kubeconfig, onWarning = () => undefined, timeoutMs } = options;
  const library = await import('./client-library.ts');
  const read = await readKubeconfig(
    new library.KubeConfig(),
    kubeconfig === undefined ? {} : { kubeconfig },
  );
  if (!read.ok) return read;
  const connection = openConnection({ library, kubeConfig: read.kubeConfig }, timeoutMs);
  return { ok: true, store: kubernetesStore({ connection, namespaces, onWarning }) };
};
