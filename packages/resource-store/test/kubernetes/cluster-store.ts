import type { JsonMap } from '@gateway/crd-schemas';
import { connectToCluster, type ApiConnection, type Leadership } from '@gateway/kube-client';
import {
  startTestCluster,
  type ApiServer,
  type StoredObject,
  type TestCluster,
} from '@gateway/test-peers';
import { onTestFinished } from 'vitest';
import { createResourceKey, formatProblem } from '../../src/index.ts';
import {
  openKubernetesStore,
  type KubernetesStore,
  type KubernetesStoreOptions,
} from '../../src/kubernetes/open-kubernetes-store.ts';

const GROUP = { group: 'gateway.internal', version: 'v1alpha1' } as const;

export const SERVER_KIND = { ...GROUP, kind: 'MCPServer', resource: 'mcpservers' };
export const WORKFLOW_KIND = { ...GROUP, kind: 'Workflow', resource: 'workflows' };
export const EVENT_KIND = {
  ...{ group: 'events.k8s.io', version: 'v1', kind: 'Event', resource: 'events' },
};

export const SECRET_KIND = { group: '', version: 'v1', kind: 'Secret', resource: 'secrets' };

/** Returns the values of a Secret as text, by key, as readers of the gateway have them. */
export const decodeSecret = (secret: unknown): Readonly<Record<string, string>> | undefined => {
  if (secret === undefined) return undefined;
  const { data = {} } = secret as { readonly data?: Readonly<Record<string, string>> };
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      const text = Buffer.from(value, 'base64').toString();
      return [key, text.replace(/\n$/u, '')] as const;
    }),
  );
};

/** The kinds that a cluster with the CustomResourceDefinitions of the gateway serves. */
const GATEWAY_KINDS = [...[SERVER_KIND, WORKFLOW_KIND, EVENT_KIND], SECRET_KIND];

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

/** Connects to a cluster until the test ends. */
export const connected = async (kubeconfig: string): Promise<ApiConnection> => {
  const made = await connectToCluster({ kubeconfig, fieldManager: 'gateway' });
  if (!made.ok) throw new Error(made.problem);
  onTestFinished(() => {
    made.connection.close();
  });
  return made.connection;
};

/** Opens a store of a cluster; the end of the test closes it. */
export const openedStore = async (
  kubeconfig: string,
  options: Partial<KubernetesStoreOptions> = {},
): Promise<KubernetesStore> => {
  const store = await openKubernetesStore({
    ...{ connection: await connected(kubeconfig), namespaces: [], allowStdio: false },
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
};

/** Starts a cluster with these objects and opens a store of it. */
export const openedCluster = async (
  objects: readonly StoredObject[],
  options: Partial<KubernetesStoreOptions> = {},
) => {
  const { api, kubeconfig } = await startGatewayCluster();
  for (const object of objects) api.apply(object);
  const store = await openedStore(kubeconfig, options);
  const { servers } = store;
  return {
    api,
    kubeconfig,
    store,
    patch: (spec: JsonMap, name = 'a') => servers.patch(createResourceKey(name), spec),
    remove: (name = 'a') => servers.remove(createResourceKey(name)),
    names: () => store.current().servers.map(({ metadata }) => metadata.name),
    problems: () => listProblems(store),
    /** Returns a stored server. */
    find: (name = 'a', namespace = 'default') => api.history.get(SERVER_KIND, { namespace, name }),
  };
};

/** Breaks every connection to the API. */
export const breakConnections = (api: ApiServer): void => {
  api.fault = (_request, response) => {
    response.destroy();
    return true;
  };
};

export const listProblems = (store: KubernetesStore): readonly string[] =>
  store.current().problems.map(formatProblem);

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
