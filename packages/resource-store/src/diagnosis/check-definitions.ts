import { customResourceDefinition, type DefinedKind } from '@gateway/crd-schemas';
import {
  apiVersionOf,
  fieldsOf,
  hasStatus,
  type ApiConnection,
  type ApiFailure,
  type ApiKind,
  type ApiResult,
} from '@gateway/kube-client';
import { definitionKinds } from '../kubernetes/followed-definitions.ts';
import { executionKind } from '../kubernetes/execution-objects.ts';
import type { ClusterFinding } from './cluster-finding.ts';
import { missingFields } from './missing-fields.ts';

type Json = Readonly<Record<string, unknown>>;

const entriesOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(fieldsOf) : [];

const get = (connection: ApiConnection, path: string): Promise<ApiResult<Json>> =>
  connection.send({ method: 'GET', path });

/** Returns the value, undefined when the API does not serve the path, or the failure. */
const found = (
  answer: ApiResult<Json>,
): { readonly value?: Json; readonly failure?: ApiFailure } => {
  if (answer.ok) return { value: answer.value };
  return hasStatus(answer.failure, 404) ? {} : { failure: answer.failure };
};

const versionsOf = (group: Json | undefined): readonly string[] =>
  entriesOf(group?.['versions']).flatMap(({ version }) =>
    typeof version === 'string' ? [version] : [],
  );

/** Returns the schema of a kind in an OpenAPI document. */
const servedSchema = (document: Json, { group, version, kind }: ApiKind): unknown => {
  const schemas = fieldsOf(fieldsOf(document['components'])['schemas']);
  return Object.values(schemas).find((schema) =>
    entriesOf(fieldsOf(schema)['x-kubernetes-group-version-kind']).some(
      (served) =>
        served['group'] === group && served['version'] === version && served['kind'] === kind,
    ),
  );
};

const expectedSchema = (kind: DefinedKind, apiGroup: string): unknown => {
  const { versions } = fieldsOf(customResourceDefinition(kind, { apiGroup })['spec']);
  const [version] = entriesOf(versions);
  const { spec, status } = fieldsOf(
    fieldsOf(fieldsOf(version?.['schema'])['openAPIV3Schema'])['properties'],
  );
  return { properties: { spec, ...(status !== undefined && { status }) } };
};

/** The versions, resources and schemas that the API serves. */
interface Served {
  readonly versions: readonly string[];
  /** The names of resources and, after a slash, subresources. */
  readonly resources: ReadonlySet<unknown>;
  readonly schemas: { readonly value?: Json; readonly failure?: ApiFailure };
}

const findingsOf = (
  kind: DefinedKind,
  apiKind: ApiKind,
  { versions, resources, schemas }: Served,
): readonly ClusterFinding[] => {
  const facts = { kind, apiGroup: apiKind.group, version: apiKind.version };
  if (!resources.has(apiKind.resource)) {
    const served = versions.filter((version) => version !== apiKind.version);
    return [{ code: 'definition-missing', ...facts, served }];
  }
  if (schemas.failure !== undefined)
    return [{ code: 'definition-unchecked', kind, failure: schemas.failure }];
  const schema = schemas.value === undefined ? undefined : servedSchema(schemas.value, apiKind);
  if (schema === undefined)
    return [{ code: 'definition-unchecked', kind, failure: { kind: 'unreadable' } }];
  const missing = [
    ...(kind === 'WorkflowExecution' || resources.has(`${apiKind.resource}/status`)
      ? []
      : ['the subresource status']),
    ...missingFields(expectedSchema(kind, apiKind.group), schema),
  ];
  return missing.length === 0 ? [] : [{ code: 'definition-older', ...facts, missing }];
};

/** The definitions to check. */
export interface CheckedDefinitions {
  readonly apiGroup: string;
  readonly kinds: readonly DefinedKind[];
}

/**
 * Compares the definitions of the kinds that the API serves with those of this program. Reads the discovery and OpenAPI documents, which every
 * account can read.
 */
export const checkDefinitions = async (
  connection: ApiConnection,
  { apiGroup, kinds: checked }: CheckedDefinitions,
): Promise<readonly ClusterFinding[]> => {
  const kinds = { ...definitionKinds(apiGroup), WorkflowExecution: executionKind(apiGroup) };
  const root = `/apis/${apiVersionOf(kinds.MCPServer)}`;
  const [group, list, schemas] = await Promise.all(
    [`/apis/${apiGroup}`, root, `/openapi/v3${root}`].map(async (path) =>
      found(await get(connection, path)),
    ),
  );
  const failure = group?.failure ?? list?.failure;
  if (failure !== undefined)
    return checked.map((kind) => ({ code: 'definition-unchecked', kind, failure }));
  const served: Served = {
    versions: versionsOf(group?.value),
    resources: new Set(entriesOf(list?.value?.['resources']).map(({ name }) => name)),
    schemas: schemas ?? {},
  };
  return checked.flatMap((kind) => findingsOf(kind, kinds[kind], served));
};
