import { DEFAULT_NAMESPACE } from '@gateway/crd-schemas';
import {
  type ApiConnection,
  type ApiFailure,
  formatApiFailure,
  connectToCluster,
  toFields,
  hasStatus,
  LEASE,
  listObjects,
  formatObjectPath,
} from '@gateway/kube-client';
import { createDefinitionKinds, KINDS } from '@gateway/resource-store';
import { type Access, type AccessNeeds, checkAccess, listRequiredAccess } from './check-access.ts';
import { checkDefinitions } from './check-definitions.ts';
import { checkObjects, checkSecrets, type ObjectScope } from './check-objects.ts';
import { type Check, createClusterNote, createClusterProblem, formatList } from './check.ts';

interface ClusterOptions extends Omit<AccessNeeds, 'namespace'>, ObjectScope {
  /** The path of a kubeconfig. When absent: `KUBECONFIG`, the service account of the pod, `~/.kube/config`. */
  readonly kubeconfig?: string | undefined;
  /** The context of the kubeconfig; its current context when absent. */
  readonly context?: string | undefined;
  /** The namespace of the Lease. Default: the namespace of the pod or the context. */
  readonly namespace?: string | undefined;
}

const CHECK_ADDRESS =
  'Check the address of the cluster in the kubeconfig, the network policies and that the API server runs.';

const OTHER_AUTHORITY =
  'The certificate of the API server is not signed by the authority in the kubeconfig: correct certificate-authority.';

const CONNECTION_REMEDIES: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'Renew the certificate of the API server.'],
  ['CERT_NOT_YET_VALID', 'Correct the clock of this machine or of the API server.'],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'The certificate of the API server is for another name: use a name of the certificate as the address, or set tls-server-name in the kubeconfig.',
  ],
  [
    'ENOTFOUND',
    'The name of the API server is unknown: check the address in the kubeconfig and DNS.',
  ],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', OTHER_AUTHORITY],
  ['SELF_SIGNED_CERT_IN_CHAIN', OTHER_AUTHORITY],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', OTHER_AUTHORITY],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', OTHER_AUTHORITY],
  ['CERT_SIGNATURE_FAILURE', OTHER_AUTHORITY],
]);

const findConnectionRemedy = (failure: ApiFailure): string => {
  if (failure.kind === 'broken') return CONNECTION_REMEDIES.get(failure.code) ?? CHECK_ADDRESS;
  if (failure.kind === 'no-credentials' || hasStatus(failure, 401))
    return 'Check the user of the kubeconfig, or the service account of the pod: its token or certificate is missing, expired or of another cluster.';
  return CHECK_ADDRESS;
};

export const createApiProblem = (failure: ApiFailure): Check =>
  createClusterProblem(
    'api-unreachable',
    `The Kubernetes API cannot be used: ${formatApiFailure(failure)}.`,
    findConnectionRemedy(failure),
  );

/** Checks that the configured namespaces exist, and lists the namespaces that the account may not read. */
const checkNamespaces = async (
  connection: ApiConnection,
  namespaces: readonly string[],
): Promise<{ readonly checks: readonly Check[]; readonly unreadable: readonly string[] }> => {
  const reads = await Promise.all(
    namespaces.map(async (namespace) => {
      const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
      return { namespace, answer: await connection.send({ method: 'GET', path }) };
    }),
  );
  const listRefused = (status: number): readonly string[] =>
    reads.flatMap(({ namespace, answer }) =>
      !answer.ok && hasStatus(answer.failure, status) ? [namespace] : [],
    );
  return {
    checks: listRefused(404).map((namespace) =>
      createClusterProblem(
        'namespace-missing',
        `The namespace ${namespace} does not exist.`,
        `Correct kubernetes.namespaces and kubernetes.namespace, or create it: kubectl create namespace ${namespace}`,
      ),
    ),
    unreadable: listRefused(403),
  };
};

/**
 * Returns the namespaces that may not exist: the account may not read them, and has none of the permissions in them. The API answers 403 to
 * every request of such an account about a missing namespace.
 */
const checkUnreadableNamespaces = (
  unreadable: readonly string[],
  required: readonly Access[],
  missing: readonly Access[],
): readonly Check[] => {
  const verbsIn = (accesses: readonly Access[], place: string): number =>
    accesses
      .filter(({ namespace, group }) => namespace === place && group !== '')
      .reduce((count, { verbs }) => count + verbs.length, 0);
  return unreadable
    .filter((place) => {
      const count = verbsIn(missing, place);
      return count > 0 && count === verbsIn(required, place);
    })
    .map((namespace) =>
      createClusterNote(
        'namespace-unknown',
        `This account may not read namespaces, so that a missing namespace ${namespace} looks like missing permissions.`,
        `Before you add a Role, check that it exists: kubectl get namespace ${namespace}`,
      ),
    );
};

/** Reports objects outside of the configured namespaces; nothing when the account may not list them. */
const checkUnusedObjects = async (
  connection: ApiConnection,
  { apiGroup, namespaces }: ObjectScope,
): Promise<readonly Check[]> => {
  if (namespaces.length === 0) return [];
  const kinds = createDefinitionKinds(apiGroup);
  const lists = await Promise.all(
    KINDS.map(async (kind) => ({
      kind,
      list: await listObjects(connection, { kind: kinds[kind] }),
    })),
  );
  return lists.flatMap(({ kind, list }) => {
    const objects = list.ok ? list.value.objects : [];
    const others = objects
      .map(({ object }) => object.metadata.namespace)
      .filter((namespace) => !namespaces.includes(namespace));
    if (others.length === 0) return [];
    const places = formatList([...new Set(others)].toSorted());
    return [
      createClusterNote(
        'objects-outside',
        `${String(others.length)} ${kind} objects in ${places} are not used: kubernetes.namespaces names ${formatList(namespaces)}.`,
        'Add their namespaces to kubernetes.namespaces to use them.',
      ),
    ];
  });
};

const CLOCK_SKEW_SECONDS = 30;

type Leader = { readonly holder: string } | { readonly absence: string };

/** Returns the holder of a Lease, or the reason why it has no holder. */
export const findLeader = (lease: Readonly<Record<string, unknown>>, now: number): Leader => {
  const { holderIdentity, leaseDurationSeconds, renewTime } = toFields(lease['spec']);
  if (typeof holderIdentity !== 'string' || holderIdentity === '')
    return { absence: 'nobody holds it' };
  const age = Math.round((now - Date.parse(String(renewTime))) / 1000);
  const duration = typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds : 0;
  return age <= Math.max(0, duration) + CLOCK_SKEW_SECONDS
    ? { holder: holderIdentity }
    : { absence: `${holderIdentity} has not renewed it for ${String(age || 0)} s` };
};

interface LeaseKey {
  readonly namespace: string;
  readonly name: string;
}

/** Reports the leading replica, or why no replica leads. Reports nothing without permission to read the Lease. */
const checkLeader = async (connection: ApiConnection, key: LeaseKey): Promise<readonly Check[]> => {
  const lease = `${key.namespace}/${key.name}`;
  const answer = await connection.send({ method: 'GET', path: formatObjectPath(LEASE, key) });
  if (!answer.ok && !hasStatus(answer.failure, 404)) return [];
  const leader = answer.ok
    ? findLeader(answer.value, Date.now())
    : { absence: 'it does not exist' };
  return 'holder' in leader
    ? [createClusterNote('leader', `${leader.holder} leads with the Lease ${lease}.`)]
    : [
        createClusterProblem(
          'no-leader',
          `No replica leads with the Lease ${lease}: ${leader.absence}. No statuses are written, and those that exist may be old.`,
          'Start a gateway, and check its log for "this replica cannot lead"; kubernetes.lease and kubernetes.namespace must be those of the running gateway.',
        ),
      ];
};

/** The API records the field manager of this connection as the writer of a Lease. */
const isWrittenBy = (manager: string, lease: Readonly<Record<string, unknown>>): boolean => {
  const { managedFields } = toFields(lease['metadata']);
  return (
    Array.isArray(managedFields) &&
    managedFields.some((entry) => toFields(entry)['manager'] === manager)
  );
};

/** Enough for clusters with fewer than about 500 nodes, which have one Lease each. */
const MAX_LEASES = '500';

/** Returns the gateways that lead with other Leases; none when the account may not list Leases. */
const checkOtherLeaders = async (
  connection: ApiConnection,
  own: LeaseKey,
): Promise<readonly Check[]> => {
  const list = await connection.send({
    method: 'GET',
    path: '/apis/coordination.k8s.io/v1/leases',
    query: { limit: MAX_LEASES },
  });
  const items: readonly unknown[] =
    list.ok && Array.isArray(list.value['items']) ? list.value['items'] : [];
  return items.map(toFields).flatMap((lease) => {
    const { namespace, name } = toFields(lease['metadata']);
    const isOwn = namespace === own.namespace && name === own.name;
    const leader = findLeader(lease, Date.now());
    if (isOwn || !isWrittenBy(connection.fieldManager, lease) || !('holder' in leader)) return [];
    return [
      createClusterNote(
        'other-leader',
        `${leader.holder} leads with another Lease, ${String(namespace)}/${String(name)}. Two gateways that use the same namespaces both write statuses and events.`,
        'Set the same kubernetes.lease and kubernetes.namespace in both, or separate kubernetes.namespaces.',
      ),
    ];
  });
};

const checkAll = async (
  connection: ApiConnection,
  options: ClusterOptions & AccessNeeds,
): Promise<readonly Check[]> => {
  // Every account can read the group discovery, but not always `/version`.
  const groups = await connection.send({ method: 'GET', path: '/apis' });
  if (!groups.ok) return [createApiProblem(groups.failure)];
  const { apiGroup, namespace, namespaces, lease, storesRuns } = options;
  const kinds = [...KINDS, ...(storesRuns ? (['WorkflowExecution'] as const) : [])];
  const key = { namespace, name: lease };
  const [definitions, places, outside, leader, others, objects] = await Promise.all([
    checkDefinitions(connection, apiGroup, kinds),
    checkNamespaces(connection, [...new Set([...namespaces, namespace])]),
    checkUnusedObjects(connection, options),
    checkLeader(connection, key),
    checkOtherLeaders(connection, key),
    checkObjects(connection, options),
  ]);
  const required = listRequiredAccess(options);
  const access = await checkAccess(connection, [...required, ...objects.references]);
  return [
    ...definitions,
    ...places.checks,
    ...outside,
    ...checkUnreadableNamespaces(places.unreadable, required, access.missing),
    ...access.checks,
    ...leader,
    ...others,
    ...objects.checks,
    ...(await checkSecrets(connection, objects.secrets, access.missing)),
  ];
};

/**
 * Checks what a gateway needs of a cluster, with the account that the gateway would use: connection, definitions of the kinds, permissions,
 * objects, leader and servers. Writes nothing. Never rejects.
 */
export const checkCluster = async (options: ClusterOptions): Promise<readonly Check[]> => {
  const { kubeconfig, context } = options;
  const connected = await connectToCluster({
    fieldManager: 'gateway',
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  });
  if (!connected.ok)
    return [
      createClusterProblem(
        'no-cluster',
        `No cluster can be used: ${connected.problem}.`,
        'Set kubernetes.kubeconfig in config.yaml or KUBECONFIG, or run the command in the pod of the gateway.',
      ),
    ];
  const { connection } = connected;
  const namespace = options.namespace ?? connected.namespace ?? DEFAULT_NAMESPACE;
  try {
    return await checkAll(connection, { ...options, namespace });
  } finally {
    connection.close();
  }
};
