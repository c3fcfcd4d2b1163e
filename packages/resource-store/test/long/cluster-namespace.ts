import { createCustomResourceDefinition } from '@gateway/crd-schemas';
import { openSharedCluster, type ClusterObject } from '@gateway/test-peers';

export const SERVER = { type: 'streamable-http', url: 'http://a.example/mcp' };

/** A namespace of one test in a cluster with the definitions of the gateway. */
export const openNamespace = async () => {
  const cluster = await openSharedCluster();
  for (const kind of ['MCPServer', 'Workflow'] as const)
    await cluster.define(createCustomResourceDefinition(kind) as ClusterObject);
  const namespace = await cluster.namespace();
  const { admin, kubeconfig } = cluster;
  const object = (kind: string, name: string, spec: object): ClusterObject => ({
    ...{ apiVersion: 'gateway.internal/v1alpha1', kind, metadata: { name, namespace }, spec },
  });
  const path = `/apis/gateway.internal/v1alpha1/namespaces/${namespace}`;
  return { cluster, admin, kubeconfig, namespace, object, path };
};
