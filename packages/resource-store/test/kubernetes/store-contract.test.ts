import { storeContract } from '../store-contract.suite.ts';
import { openedStore, startGatewayCluster } from './cluster-store.ts';

const inDefault = (document: { readonly metadata: { readonly name: string } }) => ({
  ...document,
  metadata: { ...document.metadata, namespace: 'default' },
});

storeContract('a cluster', async () => {
  const { api, kubeconfig } = await startGatewayCluster();
  return {
    store: await openedStore(kubeconfig, { allowStdio: true }),
    writeServer: (document) => {
      api.apply(inDefault(document));
      return Promise.resolve();
    },
    deleteServer: (name) => {
      api.remove('MCPServer', { namespace: 'default', name });
      return Promise.resolve();
    },
    writeInvalidServer: (name) => {
      api.apply({
        apiVersion: 'gateway.internal/v1alpha1',
        kind: 'MCPServer',
        metadata: { name, namespace: 'default' },
        spec: { type: 'stdio' },
      });
      return Promise.resolve();
    },
  };
});
