import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ApiServer, type ApiServerOptions } from './api-server/api-server.ts';

/** Returns a kubeconfig with one cluster and one user, as JSON, which is YAML. */
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

/** Creates a directory that the end of the test removes. */
export const testDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'kubernetes-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
};

/** An API server and the path of a kubeconfig for it. */
export interface TestCluster {
  readonly api: ApiServer;
  readonly kubeconfig: string;
}

/** Starts an API server that the end of the test stops. */
export const startTestCluster = async (options: ApiServerOptions = {}): Promise<TestCluster> => {
  const api = new ApiServer(options);
  const server = await api.listen();
  onTestFinished(() => api.close());
  const kubeconfig = join(await testDirectory(), 'config');
  await writeFile(kubeconfig, kubeconfigText(server));
  return { api, kubeconfig };
};
