import { API_VERSION, DEFAULT_API_GROUP, isMapping } from '../fields/validation-issue.ts';
import type { JsonMap, JsonValue } from '@gateway/go-template';
import { listCelRules, type ResourceKind } from '../rules/cel-rules.ts';
import { EXECUTION_SPEC } from './execution-shape.ts';
import type { SchemaOptions } from './json-schema-of.ts';
import { createResourceShape } from './resource-shape.ts';
import { createStructuralSchema } from './structural-schema.ts';

/** Texts that YAML reads as strings without quotes. Texts that could be a number, a date or a YAML keyword are excluded. */
const PLAIN = /^[A-Za-z$./][A-Za-z0-9 ,'"<>=$./_;()-]*[A-Za-z0-9./)]$/;

/** Texts that YAML 1.1 or 1.2 does not parse as strings. */
const WORDS = /^(true|false|null|yes|no|on|off|\.inf|\.nan)$/i;

const formatText = (text: string): string =>
  PLAIN.test(text) && !WORDS.test(text) ? text : JSON.stringify(text);

const isNested = (value: JsonValue): value is JsonMap | readonly JsonValue[] =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const toScalar = (value: JsonValue): string =>
  typeof value === 'string' ? formatText(value) : JSON.stringify(value);

const formatMember = ([key, value]: [string, JsonValue]): readonly string[] =>
  isNested(value)
    ? [`${formatText(key)}:`, ...formatLines(value).map((line) => `  ${line}`)]
    : [`${formatText(key)}: ${toScalar(value)}`];

const formatItem = (item: JsonValue): readonly string[] => {
  const [first = '', ...rest] = isNested(item) ? formatLines(item) : [toScalar(item)];
  return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
};

function formatLines(value: JsonMap | readonly JsonValue[]): readonly string[] {
  return isMapping(value) ? Object.entries(value).flatMap(formatMember) : value.flatMap(formatItem);
}

/** Returns a mapping as YAML in block style, with a final line end: the same text for the same value. */
export const formatYaml = (value: JsonMap): string => `${formatLines(value).join('\n')}\n`;

interface PrinterColumn {
  readonly name: string;
  readonly type: 'boolean' | 'date' | 'integer' | 'string';
  readonly jsonPath: string;
  /** 1: only in wide output. */
  readonly priority?: 1;
}

/** The kinds of objects in a cluster: resources, and records that the gateway writes. */
export type CustomResourceKind = ResourceKind | 'WorkflowExecution';

/** The names and printer columns of a kind in a cluster. */
interface KindNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortName: string;
  readonly columns: readonly PrinterColumn[];
}

const READY = '.status.conditions[?(@.type=="Ready")]';
const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

const names: Readonly<Record<CustomResourceKind, KindNames>> = {
  MCPServer: {
    plural: 'mcpservers',
    singular: 'mcpserver',
    shortName: 'mcps',
    columns: [
      { name: 'Type', type: 'string', jsonPath: '.spec.type' },
      { name: 'State', type: 'string', jsonPath: '.status.state' },
      { name: 'Tools', type: 'integer', jsonPath: '.status.tools' },
      { name: 'Reason', type: 'string', jsonPath: `${READY}.reason` },
      AGE,
      { name: 'AutoStart', type: 'boolean', jsonPath: '.spec.autoStart', priority: 1 },
      { name: 'URL', type: 'string', jsonPath: '.spec.url', priority: 1 },
      { name: 'Message', type: 'string', jsonPath: `${READY}.message`, priority: 1 },
    ],
  },
  Workflow: {
    plural: 'workflows',
    singular: 'workflow',
    shortName: 'wf',
    columns: [
      { name: 'Valid', type: 'boolean', jsonPath: '.status.valid' },
      { name: 'Steps', type: 'integer', jsonPath: '.status.stepCount' },
      AGE,
      { name: 'Problem', type: 'string', jsonPath: '.status.validationErrors[0]', priority: 1 },
    ],
  },
  WorkflowExecution: {
    plural: 'workflowexecutions',
    singular: 'workflowexecution',
    shortName: 'wfe',
    columns: [
      { name: 'Workflow', type: 'string', jsonPath: '.spec.workflowName' },
      { name: 'State', type: 'string', jsonPath: '.spec.status' },
      { name: 'Started', type: 'date', jsonPath: '.spec.startedAt' },
      { name: 'Duration(ms)', type: 'integer', jsonPath: '.spec.durationMs' },
      { name: 'Error', type: 'string', jsonPath: '.spec.error', priority: 1 },
    ],
  },
};

const createKindSchema = (description: string, parts: JsonMap): JsonMap => ({
  description,
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: { description: 'API group and version of the resource.', type: 'string' },
    kind: { description: 'Kind of the resource.', type: 'string' },
    metadata: { type: 'object' },
    ...parts,
  },
});

const createResourceSchema = (kind: ResourceKind): JsonMap => {
  const { about, spec, status } = createResourceShape(kind);
  const rules = listCelRules(kind);
  return createKindSchema(about, {
    spec: {
      description: 'The desired state.',
      ...createStructuralSchema(spec, { path: ['spec'], rules }),
    },
    status: {
      description: 'The observed state. Written by the gateway.',
      ...createStructuralSchema(status, { path: ['status'], rules }),
    },
  });
};

/** `spec` has one owner: the apply that ends a run replaces it whole. */
const createExecutionSchema = (): JsonMap =>
  createKindSchema('The record of a run of a workflow. Written by the gateway.', {
    spec: {
      description: 'The run.',
      ...createStructuralSchema(EXECUTION_SPEC, { path: ['spec'], rules: [] }),
      'x-kubernetes-map-type': 'atomic',
    },
  });

const createSchema = (kind: CustomResourceKind): JsonMap =>
  kind === 'WorkflowExecution' ? createExecutionSchema() : createResourceSchema(kind);

/** Records have no status subresource: a change of the metadata and of the record is one write. */
const createSubresources = (kind: CustomResourceKind): JsonMap =>
  kind === 'WorkflowExecution' ? {} : { subresources: { status: {} } };

/**
 * The CustomResourceDefinition (`apiextensions.k8s.io/v1`) of a kind: structural schema with defaults and rules, status
 * subresource of resources, short name and printer columns.
 *
 * @spec §1.5, §2.6, §2.7, §7.6, §9.1
 */
export const createCustomResourceDefinition = (
  kind: CustomResourceKind,
  { apiGroup = DEFAULT_API_GROUP }: SchemaOptions = {},
): JsonMap => {
  const { plural, singular, shortName, columns } = names[kind];
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${apiGroup}` },
    spec: {
      group: apiGroup,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular, shortNames: [shortName] },
      versions: [
        {
          name: API_VERSION,
          served: true,
          storage: true,
          ...createSubresources(kind),
          additionalPrinterColumns: columns as unknown as readonly JsonMap[],
          schema: { openAPIV3Schema: createSchema(kind) },
        },
      ],
    },
  };
};

/** Returns the CustomResourceDefinition of a kind as one YAML document for `kubectl apply -f`. @spec §1.5, §9.1 */
export const formatCrd = (kind: CustomResourceKind, options: SchemaOptions = {}): string =>
  formatYaml(createCustomResourceDefinition(kind, options));
