import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ApiServer, type ApiServerOptions } from './api-server.ts';
import { kubeconfigText, testDirectory } from '../kubeconfig.ts';

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
