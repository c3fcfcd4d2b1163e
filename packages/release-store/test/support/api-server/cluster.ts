import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentStore } from '@gateway/agent-releases';
import { onTestFinished } from 'vitest';
import {
  openKubernetesReleases,
  type KubernetesReleasesOptions,
} from '../../../src/kubernetes/open-kubernetes-releases.ts';
import { ApiServer, type ApiServerOptions } from './api-server.ts';

/** A cluster for one test. */
export interface Cluster {
  readonly api: ApiServer;
  readonly kubeconfig: string;
  readonly warnings: readonly string[];
  /** Opens a store; the test's end closes it. */
  readonly open: (options?: Partial<KubernetesReleasesOptions>) => Promise<AgentStore>;
}

/** A kubeconfig as JSON, which is YAML: one cluster, one user. */
export const kubeconfigText = (
  server: string,
  user: object = { token: 'token-of-the-test' },
  cluster: object = { 'insecure-skip-tls-verify': true },
): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'test',
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    clusters: [{ name: 'test', cluster: { server, ...cluster } }],
    users: [{ name: 'test', user }],
  });

/** A directory that goes with the test. */
export const testDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'kubernetes-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
};

/** A store from a kubeconfig; the test's end closes it. */
export const openStore = async (
  options: Partial<KubernetesReleasesOptions>,
): Promise<AgentStore> => {
  const opened = await openKubernetesReleases({ namespaces: ['default', 'tenant'], ...options });
  if (!opened.ok) throw new Error(opened.problem);
  onTestFinished(() => opened.store.close());
  return opened.store;
};

/** Starts an API server; the test's end stops it. */
export const startCluster = async (options: ApiServerOptions = {}): Promise<Cluster> => {
  const api = new ApiServer(options);
  const server = await api.listen();
  onTestFinished(() => api.close());
  const kubeconfig = join(await testDirectory(), 'config');
  await writeFile(kubeconfig, kubeconfigText(server));
  const warnings: string[] = [];
  const onWarning = (sentence: string): void => void warnings.push(sentence);
  return {
    api,
    kubeconfig,
    warnings,
    open: (given = {}) => openStore({ kubeconfig, onWarning, ...given }),
  };
};
