import { storeContract } from '../store-contract.suite.ts';
import { decodeSecret, openedCluster, SECRET_KIND } from './cluster-store.ts';

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
    readSecrets: (name) =>
      Promise.resolve(
        decodeSecret(
          api.history.get(SECRET_KIND, { namespace: 'default', name: `mcpserver-${name}` }),
        ),
      ),
    secretName: 'mcpserver-a',
    invalidSpec: { type: 'stdio' },
  };
});
