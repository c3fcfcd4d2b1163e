import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { clusterOf } from '../cluster/cluster-files.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kubeconfigText } from '../kubeconfig-text.ts';
import { testDirectory } from '../test-directory.ts';
import { ApiProxy } from './api-proxy.ts';

/** A proxy and the path of a kubeconfig for it. */
export interface StartedProxy {
  readonly proxy: ApiProxy;
  readonly kubeconfig: string;
}

/** Starts a proxy in front of a cluster; the end of the test stops it. @param user as in a kubeconfig; the administrator when absent */
export const startApiProxy = async (cluster: Cluster, user?: object): Promise<StartedProxy> => {
  const proxy = new ApiProxy(cluster);
  const url = await proxy.listen();
  onTestFinished(() => proxy.close());
  const kubeconfig = join(await testDirectory(), 'config');
  const actual = user ?? { token: await cluster.administratorToken() };
  await writeFile(kubeconfig, kubeconfigText(url, actual, clusterOf(proxy.ca)), { mode: 0o600 });
  return { proxy, kubeconfig };
};
