import { hasStatus, listObjects, type ApiConnection } from '@gateway/kube-client';
import { definitionKinds, KINDS } from '../kubernetes/definition-kinds.ts';
import type { ClusterFinding } from './cluster-finding.ts';

/** The namespaces that a gateway uses. */
export interface NamespaceScope {
  readonly apiGroup: string;
  /** The namespaces whose definitions are used; all when empty. */
  readonly namespaces: readonly string[];
  /** The namespace of the Lease. */
  readonly namespace: string;
}

const missingOf = async (
  connection: ApiConnection,
  namespace: string,
): Promise<readonly ClusterFinding[]> => {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  const read = await connection.send({ method: 'GET', path });
  const isMissing = !read.ok && hasStatus(read.failure, 404);
  return isMissing ? [{ code: 'namespace-missing', namespace }] : [];
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
): Promise<readonly ClusterFinding[]> => {
  const { namespaces, namespace } = scope;
  const used = [...new Set([...namespaces, namespace])];
  const [missing, outside] = await Promise.all([
    Promise.all(used.map((name) => missingOf(connection, name))),
    namespaces.length === 0 ? [] : outsideOf(connection, scope),
  ]);
  return [...missing.flat(), ...outside];
};
