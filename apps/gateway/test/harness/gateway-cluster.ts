import { readFile } from 'node:fs/promises';
import { createCustomResourceDefinition } from '@gateway/crd-schemas';
import type { ConfigDirectory } from '@gateway/repo-checks';
import { openSharedCluster, type Cluster, type ClusterObject } from '@gateway/test-peers';
import { parseAllDocuments } from 'yaml';
import { startGateway, type RunningGateway } from './gateway.ts';

const GROUP = 'gateway.internal';
export const API_VERSION = `${GROUP}/v1alpha1`;
const RBAC = 'rbac.authorization.k8s.io';

/** A namespace of a real API server with the CustomResourceDefinitions of the gateway. */
export interface GatewayCluster {
  readonly cluster: Cluster;
  readonly namespace: string;
  /** A kubeconfig of the service account of the gateway, with the permissions of its chart in the namespace. */
  readonly kubeconfig: string;
  /** Creates or changes an object as another client. */
  readonly apply: (kind: string, name: string, spec: object, labels?: object) => Promise<void>;
  readonly remove: (plural: string, name: string) => Promise<void>;
  /** Returns the events that were written next to the objects. */
  readonly events: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Returns an object of this kind. */
  readonly read: (plural: string, name: string) => Promise<Readonly<Record<string, unknown>>>;
}

interface Rule {
  readonly resourceNames?: readonly string[];
}

interface RenderedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: readonly Rule[];
}

const RENDERED = new URL(
  '../../../../packages/charts/test/golden/gateway/cluster-wide.yaml',
  import.meta.url,
);

/** Returns the rules that the chart renders with `coreTools.writes: all`, for the Lease `gateway`, without those of referenced Secrets. */
const renderedRules = async (): Promise<readonly Rule[]> =>
  parseAllDocuments(await readFile(RENDERED, 'utf8'))
    .map((document) => document.toJS() as RenderedObject)
    .filter(
      ({ kind, metadata }) =>
        /^(Cluster)?Role$/u.test(kind) && !/-references$/u.test(metadata.name),
    )
    .flatMap(({ rules = [] }) => rules)
    .map((rule) =>
      rule.resourceNames === undefined ? rule : { ...rule, resourceNames: ['gateway'] },
    );

/** Binds a role with these rules to the service account `gateway`. */
const bindRole = async (
  { admin }: Cluster,
  metadata: { readonly namespace: string; readonly name: string },
  rules: readonly Rule[] | undefined,
): Promise<void> => {
  const { namespace, name } = metadata;
  await admin.apply({ apiVersion: `${RBAC}/v1`, kind: 'Role', metadata, rules });
  await admin.apply({
    ...{ apiVersion: `${RBAC}/v1`, kind: 'RoleBinding', metadata },
    roleRef: { apiGroup: RBAC, kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', namespace, name: 'gateway' }],
  });
};

/** The kinds whose definitions a gateway needs. */
export const CHART_KINDS = ['MCPServer', 'Workflow', 'WorkflowExecution'] as const;

/** Gives the service account `gateway` of a namespace the permissions that the chart renders, in this namespace alone. */
export const grantGateway = async (cluster: Cluster, namespace: string): Promise<void> => {
  await bindRole(cluster, { namespace, name: 'gateway' }, await renderedRules());
};

/** Rendered with `rbac.secretNames: [wiki-token, '1e3']` and `rbac.configMapNames: [wiki-settings]`. */
const RENDERED_REFERENCES = new URL(
  '../../../../packages/charts/test/golden/gateway/cluster.yaml',
  import.meta.url,
);

/** Lets the service account `gateway` follow the Secrets `wiki-token` and `1e3` and the ConfigMap `wiki-settings`, as the chart renders it. */
export const grantReferences = async ({ cluster, namespace }: GatewayCluster): Promise<void> => {
  const role = parseAllDocuments(await readFile(RENDERED_REFERENCES, 'utf8'))
    .map((document) => document.toJS() as RenderedObject)
    .find(({ kind, metadata }) => kind === 'Role' && metadata.name === 'gateway-references');
  await bindRole(cluster, { namespace, name: 'gateway-references' }, role?.rules);
};

/** Prepares a namespace for a gateway. @param own another cluster than the shared one */
export const gatewayCluster = async (own?: Cluster): Promise<GatewayCluster> => {
  const cluster = own ?? (await openSharedCluster());
  for (const kind of CHART_KINDS)
    await cluster.define(createCustomResourceDefinition(kind) as ClusterObject);
  const namespace = await cluster.namespace();
  const token = await cluster.serviceAccountToken(namespace, 'gateway');
  await grantGateway(cluster, namespace);
  const path = `/apis/${API_VERSION}/namespaces/${namespace}`;
  return {
    cluster,
    namespace,
    kubeconfig: await cluster.writeKubeconfig({ token }),
    apply: async (kind, name, spec, labels = {}) => {
      const metadata = { namespace, name, labels };
      await cluster.admin.apply({ apiVersion: API_VERSION, kind, metadata, spec });
    },
    remove: async (plural, name) => {
      await cluster.admin.expect('DELETE', `${path}/${plural}/${name}`);
    },
    events: async () => {
      const list = await cluster.admin.expect(
        'GET',
        `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
      );
      return (list as { readonly items: readonly Readonly<Record<string, unknown>>[] }).items;
    },
    read: async (plural, name) =>
      (await cluster.admin.expect('GET', `${path}/${plural}/${name}`)) as Readonly<
        Record<string, unknown>
      >,
  };
};

/** Starts a gateway that reads the definitions of a namespace. The end stops it. */
export const startClusterGateway = (
  { namespace, kubeconfig }: GatewayCluster,
  directory: ConfigDirectory,
  {
    config = {},
    args = [],
    kubernetes = {},
    ...more
  }: Parameters<typeof startGateway>[1] & {
    readonly config?: object;
    readonly kubernetes?: object;
  } = {},
): Promise<RunningGateway> => {
  const own = { namespaces: [namespace], namespace, ...kubernetes };
  directory.config({ kubernetes: own, ...config });
  return startGateway(directory.path, {
    ...more,
    args: ['--kubernetes', ...args],
    env: { KUBECONFIG: kubeconfig },
  });
};
