import { connectToCluster, type Leadership } from '@gateway/kube-client';
import { startTestCluster, type StoredObject, type TestCluster } from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
import {
  openKubernetesStore,
  type KubernetesStore,
  type KubernetesStoreOptions,
} from '../../src/kubernetes/open-kubernetes-store.ts';

const GROUP = { group: 'gateway.internal', version: 'v1alpha1' } as const;

/** The kinds that a cluster with the CustomResourceDefinitions of the gateway serves. */
const GATEWAY_KINDS = [
  { ...GROUP, kind: 'MCPServer', resource: 'mcpservers' },
  { ...GROUP, kind: 'Workflow', resource: 'workflows' },
  { group: '', version: 'v1', kind: 'Secret', resource: 'secrets' },
  { group: 'events.k8s.io', version: 'v1', kind: 'Event', resource: 'events' },
];

/** A server as an object. */
export const serverObject = (
  name: string,
  {
    namespace = 'default',
    ...spec
  }: { readonly namespace?: string; readonly [field: string]: unknown } = {},
): StoredObject => ({
  apiVersion: 'gateway.internal/v1alpha1',
  kind: 'MCPServer',
  metadata: { name, namespace },
  spec: { type: 'streamable-http', url: `http://${name}.example/mcp`, ...spec },
});

/** A workflow as an object. */
export const workflowObject = (
  name: string,
  tool = 'x_a',
  namespace = 'default',
): StoredObject => ({
  apiVersion: 'gateway.internal/v1alpha1',
  kind: 'Workflow',
  metadata: { name, namespace },
  spec: { description: 'A workflow.', steps: [{ id: 'one', tool }] },
});

/** An API server without a store. */
export const startGatewayCluster = (): Promise<TestCluster> =>
  startTestCluster({ kinds: GATEWAY_KINDS, namespaces: ['default', 'tenant'] });

/** Opens a store of a cluster; the end of the test closes it. */
export const openedStore = async (
  kubeconfig: string,
  options: Partial<KubernetesStoreOptions> = {},
): Promise<KubernetesStore> => {
  const connected = await connectToCluster({ kubeconfig, fieldManager: 'gateway' });
  if (!connected.ok) throw new Error(connected.problem);
  const { connection } = connected;
  const store = await openKubernetesStore({
    ...{ connection, namespaces: [], allowStdio: false },
    ...options,
  });
  onTestFinished(async () => {
    await store.close();
    connection.close();
  });
  return store;
};

/** A leadership that a test changes. */
export const changingLeadership = (
  initial: boolean,
): Leadership & { readonly set: (isLeader: boolean) => void } => {
  let current = initial;
  const listeners = new Set<(isLeader: boolean) => void>();
  return {
    isLeader: () => current,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set: (isLeader) => {
      current = isLeader;
      for (const listener of listeners) listener(isLeader);
    },
  };
};
