import { storeContract } from '../store-contract.suite.ts';
import { openedCluster } from './cluster-store.ts';

storeContract('a cluster', async () => {
  const { api, store } = await openedCluster([], { allowStdio: true });
  return {
    store,
    writeServer: (document) => {
      const metadata = { ...document.metadata, namespace: 'default' };
      api.apply({ ...document, metadata });
      return Promise.resolve();
    },
    deleteServer: (name) => {
      api.remove('MCPServer', { namespace: 'default', name });
      return Promise.resolve();
    },
    invalidSpec: { type: 'stdio' },
  };
});
