import type { ClusterObject } from '@gateway/test-peers';
import { openedStore } from '../kubernetes/cluster-store.ts';
import { storeContract } from '../store-contract.suite.ts';
import { openNamespace, SERVER } from './cluster-namespace.ts';

const PATH = '/apis/gateway.internal/v1alpha1/namespaces/default';

storeContract('a cluster with a real API server', async () => {
  const { admin, kubeconfig } = await openNamespace();
  for (const plural of ['mcpservers', 'workflows'])
    await admin.expect('DELETE', `${PATH}/${plural}`);
  return {
    store: await openedStore(kubeconfig, { namespaces: ['default'], allowStdio: true }),
    writeServer: async (document) => {
      const metadata = { ...document.metadata, namespace: 'default' };
      await admin.apply({ ...document, metadata } as ClusterObject);
    },
    deleteServer: async (name) => {
      await admin.expect('DELETE', `${PATH}/mcpservers/${name}`);
    },
    // No rule of the API server concerns the names of headers.
    invalidSpec: { ...SERVER, headers: { 'not a name': '1' } },
  };
});
