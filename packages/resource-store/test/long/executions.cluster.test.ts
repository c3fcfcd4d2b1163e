import { createCustomResourceDefinition } from '@gateway/crd-schemas';
import { openSharedCluster, type ClusterObject } from '@gateway/test-peers';
import { recordContract } from '../record-contract.suite.ts';
import {
  executionSuite,
  type ExecutionCluster,
} from '../kubernetes/executions/execution-objects.suite.ts';
import { startReplica } from '../kubernetes/executions/execution-replicas.ts';

const definition = createCustomResourceDefinition('WorkflowExecution') as ClusterObject;

const open = async (): Promise<ExecutionCluster> => {
  const cluster = await openSharedCluster();
  await cluster.define(definition);
  const namespace = await cluster.namespace();
  const path = `/apis/gateway.internal/v1alpha1/namespaces/${namespace}/workflowexecutions`;
  return {
    ...{ kubeconfig: cluster.kubeconfig, namespace },
    read: async (name) => {
      const { status, body } = await cluster.admin.request('GET', `${path}/${name}`);
      return status === 404 ? undefined : (body as Readonly<Record<string, unknown>>);
    },
    remove: async (name) => {
      await cluster.admin.expect('DELETE', `${path}/${name}`);
    },
  };
};

recordContract('objects of a real API server', async () => {
  const { kubeconfig, namespace } = await open();
  const { blobs } = await startReplica(kubeconfig, namespace);
  const again = await startReplica(kubeconfig, namespace);
  return { blobs, again: () => again.blobs };
});

executionSuite('a real API server', open);
