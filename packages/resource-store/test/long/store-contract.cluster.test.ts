import { createCustomResourceDefinition } from '@gateway/crd-schemas';
import { connectToCluster } from '@gateway/kube-client';
import { openSharedCluster, type Cluster, type ClusterObject } from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
import { openKubernetesStore } from '../../src/kubernetes/open-kubernetes-store.ts';
import { storeContract } from '../store-contract.suite.ts';

const KINDS = ['MCPServer', 'Workflow'] as const;
const PATH = '/apis/gateway.internal/v1alpha1/namespaces/default';

const clear = async ({ admin }: Cluster): Promise<void> => {
  for (const plural of ['mcpservers', 'workflows'])
    await admin.expect('DELETE', `${PATH}/${plural}`);
};

storeContract('a cluster with a real API server', async () => {
  const cluster = await openSharedCluster();
  for (const kind of KINDS)
    await cluster.define(createCustomResourceDefinition(kind) as ClusterObject);
  await clear(cluster);
  const connected = await connectToCluster({
    ...{ kubeconfig: cluster.kubeconfig, fieldManager: 'gateway' },
  });
  if (!connected.ok) throw new Error(connected.problem);
  const { connection } = connected;
  const store = await openKubernetesStore({
    ...{ connection, namespaces: ['default'], allowStdio: true },
  });
  onTestFinished(async () => {
    await store.close();
    connection.close();
  });
  return {
    store,
    writeServer: async (document) => {
      const metadata = { ...document.metadata, namespace: 'default' };
      await cluster.admin.apply({ ...document, metadata } as ClusterObject);
    },
    deleteServer: async (name) => {
      await cluster.admin.expect('DELETE', `${PATH}/mcpservers/${name}`);
    },
    // No rule of the API server concerns the names of headers.
    writeInvalidServer: async (name) => {
      await cluster.admin.apply({
        apiVersion: 'gateway.internal/v1alpha1',
        kind: 'MCPServer',
        metadata: { name, namespace: 'default' },
        spec: {
          ...{ type: 'streamable-http', url: 'http://b.example/mcp' },
          headers: { 'not a name': '1' },
        },
      });
    },
  };
});
