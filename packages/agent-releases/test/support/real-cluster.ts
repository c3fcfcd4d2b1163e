import type { AgentStore } from '../../src/store/agent-store.ts';
import {
  AGENT_RUNTIME_DEFINITIONS,
  readFluxDefinitions,
  startApiProxy,
  startOwnCluster,
  type ApiProxy,
  type Cluster,
  type ClusterObject,
} from '@gateway/test-peers';
import { beforeAll, expect } from 'vitest';
import type { KubernetesReleasesOptions } from '../../src/kubernetes/kubernetes-store.ts';
import { openStore } from './cluster.ts';

const NAMESPACES = ['default', 'tenant'];
const GROUPS = {
  'apis/helm.toolkit.fluxcd.io/v2': ['helmreleases'],
  'apis/source.toolkit.fluxcd.io/v1': ['ocirepositories'],
  'apis/kagent.dev/v1alpha2': ['agents', 'modelconfigs'],
  'apis/apps/v1': ['deployments'],
  'api/v1': ['pods', 'events'],
};
const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const RBAC = 'rbac.authorization.k8s.io';

/** A cluster of all tests of a file, with the definitions of Flux and of the agent runtime. */
export interface SharedCluster {
  /** Returns the cluster. Call it in tests only. */
  readonly cluster: () => Cluster;
  /** Deletes the objects of earlier tests and starts a proxy for one test. */
  readonly start: (user?: object) => Promise<ClusterOfTest>;
}

/** A real API server behind a proxy. */
export interface ClusterOfTest {
  readonly cluster: Cluster;
  readonly proxy: ApiProxy;
  readonly kubeconfig: string;
  readonly warnings: readonly string[];
  /** Opens a store that the end of the test closes. */
  readonly open: (options?: Partial<KubernetesReleasesOptions>) => Promise<AgentStore>;
  /** Creates or changes an object with its status, as another client does. */
  readonly apply: (object: object) => Promise<ClusterObject>;
  /** Deletes an object as another client does. */
  readonly remove: (object: object) => Promise<void>;
}

const empty = async ({ admin }: Cluster): Promise<void> => {
  for (const namespace of NAMESPACES)
    for (const [group, resources] of Object.entries(GROUPS))
      for (const resource of resources)
        await admin.expect(
          'DELETE',
          `/${group}/namespaces/${namespace}/${resource}?gracePeriodSeconds=0`,
        );
};

const applied = async ({ admin }: Cluster, given: object): Promise<ClusterObject> => {
  const { status, ...object } = given as ClusterObject;
  const written = await admin.apply(object);
  if (status === undefined) return written;
  const { apiVersion, kind, metadata } = object;
  const { name, namespace } = metadata as { readonly name: string; readonly namespace: string };
  const content = { apiVersion, kind, metadata: { name, namespace }, status };
  const path = `${await admin.resolvePath(written)}/status?fieldManager=controller&force=true`;
  const type = 'application/apply-patch+yaml';
  return (await admin.expect('PATCH', path, { type, content })) as ClusterObject;
};

/** Defines the kinds of Flux and of the agent runtime. */
const defineKinds = async (cluster: Cluster): Promise<void> => {
  for (const definition of [...(await readFluxDefinitions()), ...AGENT_RUNTIME_DEFINITIONS])
    await cluster.define(definition);
};

/** Starts a cluster before the tests of a file, and stops it after them. */
export const useCluster = (): SharedCluster => {
  let shared: Cluster;
  beforeAll(async () => {
    const own = await startOwnCluster();
    shared = own.cluster;
    await defineKinds(shared);
    const metadata = { name: 'tenant' };
    await shared.admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata });
    return () => own.close();
  });
  return {
    cluster: () => shared,
    start: async (user) => {
      await empty(shared);
      const { proxy, kubeconfig } = await startApiProxy(shared, user);
      const warnings: string[] = [];
      const onWarning = (sentence: string): void => void warnings.push(sentence);
      return {
        ...{ cluster: shared, proxy, kubeconfig, warnings },
        open: (options = {}) => openStore({ kubeconfig, onWarning, ...options }),
        apply: (object) => applied(shared, object),
        remove: (object) => shared.admin.remove(object as ClusterObject),
      };
    },
  };
};

/** What a service account may do. */
export interface PermittedRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns the token of a new service account of the namespace `default` with exactly these permissions in it. */
export const permittedToken = async (
  cluster: Cluster,
  name: string,
  rules: readonly PermittedRule[],
): Promise<string> => {
  const metadata = { namespace: 'default', name };
  const rbac = { apiVersion: `${RBAC}/v1`, metadata };
  await cluster.admin.apply({ ...rbac, kind: 'Role', rules });
  await cluster.admin.apply({
    ...{ ...rbac, kind: 'RoleBinding' },
    roleRef: { apiGroup: RBAC, kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  });
  const token = await cluster.serviceAccountToken('default', name);
  const client = cluster.client({ token });
  for (const { apiGroups, resources, verbs } of rules) {
    const asked = { group: apiGroups[0], resource: resources[0], verb: verbs[0] };
    const content = { spec: { resourceAttributes: { namespace: 'default', ...asked } } };
    // RBAC uses a new role some moments later.
    await expect
      .poll(async () => (await client.expect('POST', REVIEWS, { content })) as object)
      .toMatchObject({ status: { allowed: true } });
  }
  return token;
};
