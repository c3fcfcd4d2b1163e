import { DEFAULT_NAMESPACE } from '@gateway/crd-schemas';
import { connectToCluster, type ApiConnection } from '@gateway/kube-client';
import { KINDS } from '../kubernetes/followed-definitions.ts';
import { checkAccess } from './check-access.ts';
import { checkDefinitions } from './check-definitions.ts';
import { checkLeader, checkOtherLeaders } from './check-leader.ts';
import { checkNamespaces, unknownNamespaces } from './check-namespaces.ts';
import { checkObjects } from './check-objects.ts';
import { checkSecrets, secretAccess } from './check-secrets.ts';
import type { ClusterFinding } from './cluster-finding.ts';
import { requiredAccess, type AccessNeeds } from './required-access.ts';

/** The configuration of a gateway in a cluster. */
export interface ClusterDiagnosisOptions extends Omit<AccessNeeds, 'namespace'> {
  /** The path of a kubeconfig. When absent: `KUBECONFIG`, the service account of the pod, `~/.kube/config`. */
  readonly kubeconfig?: string;
  /** The context of the kubeconfig; its current context when absent. */
  readonly context?: string;
  /** The namespace of the Lease; that of the pod or the context when absent. */
  readonly namespace?: string;
  readonly allowStdio: boolean;
  /** Other namespaces whose Secrets a server may name. */
  readonly secretNamespaces: readonly string[];
}

const checkAll = async (
  connection: ApiConnection,
  options: ClusterDiagnosisOptions & Pick<AccessNeeds, 'namespace'>,
): Promise<readonly ClusterFinding[]> => {
  // The discovery of groups, which every account can read; `/version` may be closed to some.
  const reached = await connection.send({ method: 'GET', path: '/apis' });
  if (!reached.ok) return [{ code: 'api-unreachable', failure: reached.failure }];
  const { apiGroup, namespace, lease, storesRuns } = options;
  const kinds = [...KINDS, ...(storesRuns ? (['WorkflowExecution'] as const) : [])];
  const key = { namespace, name: lease };
  const [definitions, namespaces, leader, others, objects] = await Promise.all([
    checkDefinitions(connection, { apiGroup, kinds }),
    checkNamespaces(connection, options),
    checkLeader(connection, key),
    checkOtherLeaders(connection, key),
    checkObjects(connection, options),
  ]);
  const required = requiredAccess(options);
  const references = [...secretAccess(objects.secrets), ...objects.references];
  const access = await checkAccess(connection, [...required, ...references]);
  return [
    ...[...definitions, ...namespaces.findings],
    ...unknownNamespaces(namespaces.unread, required, access),
    ...[...access, ...leader, ...others, ...objects.findings],
    ...(await checkSecrets(connection, objects.secrets, access)),
  ];
};

/**
 * Checks what a gateway needs of a cluster, with the account that the gateway would use: connection, definitions of the kinds, permissions,
 * objects, leader and servers. Writes nothing. Never rejects.
 */
export const diagnoseCluster = async (
  options: ClusterDiagnosisOptions,
): Promise<readonly ClusterFinding[]> => {
  const { kubeconfig, context } = options;
  const connected = await connectToCluster({
    fieldManager: 'gateway',
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  if (!connected.ok) return [{ code: 'no-cluster', problem: connected.problem }];
  const { connection } = connected;
  const namespace = options.namespace ?? connected.namespace ?? DEFAULT_NAMESPACE;
  try {
    return await checkAll(connection, { ...options, namespace });
  } finally {
    connection.close();
  }
};
