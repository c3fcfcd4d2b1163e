import {
  formatApiVersion,
  createCustomResourceDefinition,
  type CustomResourceKind,
} from '@gateway/crd-schemas';
import {
  AGENT_RUNTIME_DEFINITIONS,
  readFluxDefinitions,
  readOperatorDefinitions,
  type Cluster,
  type ClusterObject,
} from '@gateway/test-peers';
import type { ManifestObject } from '../../src/render.ts';

const KINDS: readonly CustomResourceKind[] = ['MCPServer', 'Workflow', 'WorkflowExecution'];
const APPLY = 'application/apply-patch+yaml';

/** Defines the kinds of the gateway in an API group. */
export async function defineGatewayKinds(cluster: Cluster, apiGroup: string): Promise<void> {
  for (const kind of KINDS)
    await cluster.define(createCustomResourceDefinition(kind, { apiGroup }) as ClusterObject);
}

/** Defines all kinds that charts render, with those of the gateway in the default group. */
export async function defineRenderedKinds(cluster: Cluster): Promise<void> {
  const others = [...(await readFluxDefinitions()), ...(await readOperatorDefinitions())];
  for (const definition of [...others, ...AGENT_RUNTIME_DEFINITIONS])
    await cluster.define(definition);
  await defineGatewayKinds(cluster, formatApiVersion().split('/')[0] ?? '');
}

/** Returns an object in the namespace in which Helm creates it. */
const placed = (object: ManifestObject, namespace: string): ClusterObject => ({
  ...object,
  metadata: { namespace, ...object.metadata },
});

/** Creates the namespaces of the objects, and that of the release. */
export async function createNamespaces(
  { admin }: Cluster,
  objects: readonly ManifestObject[],
  namespace: string,
): Promise<void> {
  const named = objects.flatMap(({ metadata }) => metadata.namespace ?? []);
  for (const name of new Set([namespace, ...named]))
    await admin.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

/**
 * Applies objects as Helm does, in the namespace of a release. Unknown and repeated fields are errors.
 *
 * @returns the refusals of the API server
 */
export async function applyObjects(
  { admin }: Cluster,
  objects: readonly ManifestObject[],
  { namespace, dryRun = false }: { readonly namespace: string; readonly dryRun?: boolean },
): Promise<readonly string[]> {
  const refusals: string[] = [];
  const query = `fieldManager=helm&force=true&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`;
  for (const object of objects) {
    const content = placed(object, namespace);
    const path = `${await admin.resolvePath(content)}?${query}`;
    const { status, body } = await admin.request('PATCH', path, { type: APPLY, content });
    if (status >= 300)
      refusals.push(`${object.kind} ${object.metadata.name}: ${JSON.stringify(body)}`);
  }
  return refusals;
}
