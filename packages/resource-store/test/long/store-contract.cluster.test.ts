import type { ClusterObject } from '@gateway/test-peers';
import { decodeSecret, openedStore } from '../kubernetes/cluster-store.ts';
import { storeContract } from '../store-contract.suite.ts';
import { openNamespace, SERVER } from './cluster-namespace.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const PATH = '/apis/gateway.internal/v1alpha1/namespaces/default';

storeContract('a cluster with a real API server', async () => {
  const { admin, kubeconfig } = await openNamespace();
  for (const plural of ['mcpservers', 'workflows'])
    await admin.expect('DELETE', `${PATH}/${plural}`);
  await admin.expect('DELETE', SECRETS);
  return {
    store: await openedStore(kubeconfig, { namespaces: ['default'], allowStdio: true }),
    writeServer: async (document) => {
      const metadata = { ...document.metadata, namespace: 'default' };
      await admin.apply({ ...document, metadata } as ClusterObject);
    },
    deleteServer: async (name) => {
      await admin.expect('DELETE', `${PATH}/mcpservers/${name}`);
    },
    readSecrets: async (name) => {
      const { status, body } = await admin.request('GET', `${SECRETS}/mcpserver-${name}`);
      return status === 404 ? undefined : decodeSecret(body);
    },
    secretName: 'mcpserver-a',
    // No rule of the API server concerns the names of headers.
    invalidSpec: { ...SERVER, headers: { 'not a name': '1' } },
  };
});
