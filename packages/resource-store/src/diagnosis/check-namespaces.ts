import { hasStatus, listObjects, type ApiConnection } from '@gateway/kube-client';
import { definitionKinds, KINDS } from '../kubernetes/followed-definitions.ts';
import type { Access, ClusterFinding } from './cluster-finding.ts';

/** The namespaces that a gateway uses. */
export interface NamespaceScope {
  readonly apiGroup: string;
  /** The namespaces whose definitions are used; all when empty. */
  readonly namespaces: readonly string[];
  /** The namespace of the Lease. */
  readonly namespace: string;
}

/** The result of {@link checkNamespaces}. */
export interface CheckedNamespaces {
  readonly findings: readonly ClusterFinding[];
  /** The namespaces of the configuration that the account may not read. */
  readonly unread: readonly string[];
}

const existenceOf = async (
  connection: ApiConnection,
  namespace: string,
): Promise<CheckedNamespaces> => {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  const read = await connection.send({ method: 'GET', path });
  if (read.ok) return { findings: [], unread: [] };
  const isMissing = hasStatus(read.failure, 404);
  return {
    findings: isMissing ? [{ code: 'namespace-missing', namespace }] : [],
    unread: hasStatus(read.failure, 403) ? [namespace] : [],
  };
};

/** Returns the definitions in other namespaces; none when the account may not list them. */
const outsideOf = async (
  connection: ApiConnection,
  { apiGroup, namespaces }: NamespaceScope,
): Promise<readonly ClusterFinding[]> => {
  const kinds = definitionKinds(apiGroup);
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
    const facts = { kind, count: others.length, namespaces };
    const places = [...new Set(others)].toSorted();
    return others.length === 0 ? [] : [{ code: 'objects-outside', ...facts, places } as const];
  });
};

/**
 * Returns the namespaces of the configuration that do not exist, and the definitions outside of them. Checks only what the account may read:
 * a gateway needs neither permission.
 */
export const checkNamespaces = async (
  connection: ApiConnection,
  scope: NamespaceScope,
): Promise<CheckedNamespaces> => {
  const { namespaces, namespace } = scope;
  const used = [...new Set([...namespaces, namespace])];
  const [read, outside] = await Promise.all([
    Promise.all(used.map((name) => existenceOf(connection, name))),
    namespaces.length === 0 ? [] : outsideOf(connection, scope),
  ]);
  return {
    findings: [...read.flatMap(({ findings }) => findings), ...outside],
    unread: read.flatMap(({ unread }) => unread),
  };
};

/**
 * Returns the namespaces that may not exist: the account may not read them, and has none of the permissions in them. The API answers 403 to
 * every request of such an account about a missing namespace.
 */
export const unknownNamespaces = (
  unread: readonly string[],
  required: readonly Access[],
  access: readonly ClusterFinding[],
): readonly ClusterFinding[] => {
  const verbsIn = (accesses: readonly Access[], place: string): number =>
    accesses
      .filter(({ namespace, group }) => namespace === place && group !== '')
      .reduce((count, { verbs }) => count + verbs.length, 0);
  const missing = access.flatMap((one) => (one.code === 'access-missing' ? [one.access] : []));
  return unread
    .filter((place) => {
      const count = verbsIn(missing, place);
      return count > 0 && count === verbsIn(required, place);
    })
    .map((namespace) => ({ code: 'namespace-unknown', namespace }));
};
