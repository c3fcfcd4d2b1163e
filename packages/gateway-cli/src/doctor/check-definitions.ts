import { createCustomResourceDefinition, type CustomResourceKind } from '@gateway/crd-schemas';
import {
  type ApiConnection,
  type ApiFailure,
  formatApiFailure,
  type ApiKind,
  formatApiVersion,
  toFields,
  hasStatus,
} from '@gateway/kube-client';
import { createDefinitionKinds, createExecutionKind } from '@gateway/resource-store';
import { type Check, createClusterNote, createClusterProblem, formatList } from './check.ts';

type Json = Readonly<Record<string, unknown>>;

const listEntries = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(toFields) : [];

const MAX_DEPTH = 32;

const listChildren = (schema: unknown): ReadonlyMap<string, unknown> => {
  const { properties, items, additionalProperties } = toFields(schema);
  return new Map([
    ...Object.entries(toFields(properties)),
    ...(items === undefined ? [] : [['[]', items] as const]),
    ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as const] : []),
  ]);
};

/**
 * Returns the paths of the fields of an OpenAPI schema that another schema does not have, such as `spec.steps[].tool`. A missing field is named
 * without the fields in it.
 */
export const listMissingFields = (
  expected: unknown,
  served: unknown,
  path = '',
  depth = 0,
): readonly string[] => {
  if (depth > MAX_DEPTH) return [];
  // Objects of any shape have every field.
  if (toFields(served)['x-kubernetes-preserve-unknown-fields'] === true) return [];
  const known = listChildren(served);
  return [...listChildren(expected)].flatMap(([name, child]) => {
    const separator = name === '[]' || path === '' ? '' : '.';
    const place = `${path}${separator}${name}`;
    const other = known.get(name);
    return other === undefined ? [place] : listMissingFields(child, other, place, depth + 1);
  });
};

const findApiSchema = (document: Json, { group, version, kind }: ApiKind): unknown => {
  const schemas = toFields(toFields(document['components'])['schemas']);
  return Object.values(schemas).find((schema) =>
    listEntries(toFields(schema)['x-kubernetes-group-version-kind']).some(
      (served) =>
        served['group'] === group && served['version'] === version && served['kind'] === kind,
    ),
  );
};

const createOwnSchema = (kind: CustomResourceKind, apiGroup: string): unknown => {
  const { versions } = toFields(createCustomResourceDefinition(kind, { apiGroup })['spec']);
  const [version] = listEntries(versions);
  const { spec, status } = toFields(
    toFields(toFields(version?.['schema'])['openAPIV3Schema'])['properties'],
  );
  return { properties: { spec, ...(status !== undefined && { status }) } };
};

/** A document of the API: absent when it does not serve the path, and when it could not be read. */
interface Found {
  readonly value?: Json;
  readonly failure?: ApiFailure;
}

interface Served {
  readonly versions: readonly string[];
  /** The names of resources and, after a slash, subresources. */
  readonly resources: ReadonlySet<unknown>;
  readonly schemas: Found;
}

const installCommand = (kind: string, apiGroup: string): string =>
  `gateway crds ${kind.toLowerCase()} --api-group ${apiGroup} | kubectl apply --server-side -f -`;

const createDefinitionNote = (kind: CustomResourceKind, failure: ApiFailure): Check =>
  createClusterNote(
    'definition-unchecked',
    `The CustomResourceDefinition of ${kind} could not be compared: ${formatApiFailure(failure)}.`,
    'Repeat the command after some seconds; the account needs the ClusterRole system:discovery.',
  );

export const checkDefinition = (
  kind: CustomResourceKind,
  apiKind: ApiKind,
  { versions, resources, schemas }: Served,
): readonly Check[] => {
  const { group, version, resource } = apiKind;
  const name = `${kind} of ${group}/${version}`;
  if (!resources.has(resource)) {
    const served = versions.filter((other) => other !== version);
    const others =
      served.length === 0 ? '' : `; the versions of ${group} that it serves: ${formatList(served)}`;
    return [
      createClusterProblem(
        'definition-missing',
        `The Kubernetes API does not serve ${name}${others}.`,
        `Install the CustomResourceDefinition: ${installCommand(kind, group)}`,
        { facts: { kind, served } },
      ),
    ];
  }
  if (schemas.failure !== undefined) return [createDefinitionNote(kind, schemas.failure)];
  const schema = schemas.value === undefined ? undefined : findApiSchema(schemas.value, apiKind);
  if (schema === undefined) return [createDefinitionNote(kind, { kind: 'unreadable' })];
  const hasStatusPath = kind === 'WorkflowExecution' || resources.has(`${resource}/status`);
  const missing = [
    ...(hasStatusPath ? [] : ['the subresource status']),
    ...listMissingFields(createOwnSchema(kind, group), schema),
  ];
  if (missing.length === 0) return [];
  return [
    createClusterProblem(
      'definition-older',
      `The CustomResourceDefinition of ${name} is older than this program: it does not have ${formatList(missing)}.`,
      `Replace it: ${installCommand(kind, group)}`,
      { facts: { kind, missing } },
    ),
  ];
};

/**
 * Compares the definitions of the kinds that the API serves with those of this program. Reads the discovery and OpenAPI documents, which every
 * account can read.
 */
export const checkDefinitions = async (
  connection: ApiConnection,
  apiGroup: string,
  checked: readonly CustomResourceKind[],
): Promise<readonly Check[]> => {
  const kinds = {
    ...createDefinitionKinds(apiGroup),
    WorkflowExecution: createExecutionKind(apiGroup),
  };
  const root = `/apis/${formatApiVersion(kinds.MCPServer)}`;
  const [group, list, schemas = {}] = await Promise.all(
    [`/apis/${apiGroup}`, root, `/openapi/v3${root}`].map(async (path): Promise<Found> => {
      const answer = await connection.send({ method: 'GET', path });
      if (answer.ok) return { value: answer.value };
      return hasStatus(answer.failure, 404) ? {} : { failure: answer.failure };
    }),
  );
  const failure = group?.failure ?? list?.failure;
  if (failure !== undefined) return checked.map((kind) => createDefinitionNote(kind, failure));
  const served: Served = {
    versions: listEntries(group?.value?.['versions']).flatMap(({ version }) =>
      typeof version === 'string' ? [version] : [],
    ),
    resources: new Set(listEntries(list?.value?.['resources']).map(({ name }) => name)),
    schemas,
  };
  return checked.flatMap((kind) => checkDefinition(kind, kinds[kind], served));
};
