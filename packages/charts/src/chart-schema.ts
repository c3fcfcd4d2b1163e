import { createJsonSchema, type ResourceKind } from '@gateway/crd-schemas';
import { createConfigJsonSchema, DEFAULT_HEALTH_PORT } from '@gateway/gateway-config';
import { z } from 'zod';

/** The part of JSON Schema that the definitions of values use. */
export interface ValueSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly items?: ValueSchema;
  readonly additionalProperties?: boolean | ValueSchema;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly [keyword: string]: unknown;
}

const configuration = createConfigJsonSchema() as ValueSchema;

/**
 * Returns the default of a number in the configuration of the gateway, so that no chart repeats it.
 *
 * @param path of the key, such as `http.port`
 */
export function readConfigurationDefault(path: string): number {
  const key = path
    .split('.')
    .reduce<ValueSchema | undefined>((group, name) => group?.properties?.[name], configuration);
  if (typeof key?.default !== 'number') throw new Error(`${path} has no number as its default`);
  return key.default;
}

/** Descriptions of configuration keys that differ in a pod. */
const IN_A_POD: Readonly<Record<string, ValueSchema>> = {
  apiGroup: {
    description: 'Set by the chart from the value `apiGroup`; another value is refused.',
  },
  labelDomain: {
    description: 'Set by the chart from the value `labelDomain`; another value is refused.',
  },
  kubernetes: {
    description:
      'The objects of the cluster as definitions: `mcpservers` and `workflows` of the chart are then objects.',
    type: 'object',
  },
  'kubernetes.kubeconfig': {
    description:
      'kubeconfig of another cluster, such as `secrets/<secret>/<key>` of `secretFiles`. Unset: the service account of the pod.',
  },
  'kubernetes.namespace': {
    description:
      'Namespace of the Lease and of new definitions. Unset: the namespace of the release.',
  },
  'kubernetes.lease': {
    description:
      'Lease by which one replica is elected, which writes statuses. Unset: the name of the Deployment.',
  },
  stateDirectory: {
    description:
      'Directory for events, declared tools and the session key, an absolute path. Unset: `/var/lib/gateway/state`.',
  },
  'http.host': {
    description:
      'Listen address. Unset: `0.0.0.0`; use `::` for clusters with IPv6 only. Loopback is refused.',
  },
  'audit.file': {
    description:
      'Audit log: an absolute path, such as `/var/lib/gateway/audit.log`, or `-` for standard output. Unset: no audit log.',
  },
  'coreTools.writes': {
    description:
      'Permitted core tools that write: `all` (callers can run commands in the pod; with sign-in, administrators only), `workflows` (definitions of workflows) or `none`. Unset: `all` with sign-in, else `none`.',
  },
  'http.port': {
    description: `Port of the container. Unset: \`${readConfigurationDefault('http.port').toString()}\`.`,
    minimum: 1,
  },
  'health.enabled': {
    description:
      'Whether a port of its own serves `/healthz`, `/readyz` and `/metrics`, which probes and the ServiceMonitor use. `false`: they use the port of the endpoint. Unset: `true`.',
  },
  'health.host': {
    description: 'Listen address of this port. Unset: that of the endpoint. Loopback is refused.',
  },
  'health.port': {
    description: `This port, different from \`muster.http.port\`. Unset: \`${DEFAULT_HEALTH_PORT.toString()}\`.`,
    minimum: 1,
  },
  'http.allowedHosts': {
    description: 'Additional permitted `Host` values (protection from DNS rebinding).',
  },
  'workflows.executionsDirectory': {
    description:
      'Directory for records of runs, an absolute path. Unset: `/var/lib/gateway/executions`, and with `kubernetes.enabled` they are objects of the cluster.',
  },
};

/** Returns the description as a sentence with the default, which the chart does not set. */
const formatSentence = (phrase: string, fallback: unknown): string => {
  const defaultText = fallback === undefined ? '' : ` Unset: \`${JSON.stringify(fallback)}\`.`;
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.${defaultText}`;
};

const toValueSchema = (schema: ValueSchema, path: string): ValueSchema => {
  const { description, default: fallback, properties, ...rest } = schema;
  return {
    ...(description !== undefined && { description: formatSentence(description, fallback) }),
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [
          key,
          toValueSchema(value, path === '' ? key : `${path}.${key}`),
        ]),
      ),
    }),
    ...IN_A_POD[path],
  };
};

/** A map with nullable entries; null removes an entry of a parent chart. */
const withRemovals = ({ additionalProperties, ...map }: ValueSchema = {}): ValueSchema => ({
  ...map,
  additionalProperties: { ...(additionalProperties as ValueSchema), type: ['object', 'null'] },
});

/**
 * Returns the schema of `config.yaml` as chart values without defaults, so that omitted keys have the default of the gateway.
 */
function createConfigurationSchema(): ValueSchema {
  const own = Object.entries(configuration).filter(([key]) => key !== '$schema' && key !== 'title');
  const { properties, ...values } = toValueSchema(Object.fromEntries(own), '');
  return {
    ...values,
    properties: { ...properties, toolsetPresets: withRemovals(properties?.['toolsetPresets']) },
  };
}

/** Returns the keys whose meaning differs in a pod, and the groups that contain them. */
const pickDifferences = (schema: ValueSchema, path = ''): ValueSchema => {
  const kept = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const place = path === '' ? key : `${path}.${key}`;
    const picked = pickDifferences(value, place);
    const { description: _description, ...group } = picked;
    if (IN_A_POD[place] !== undefined) return [[key, picked] as const];
    return picked.properties === undefined ? [] : [[key, group] as const];
  });
  const { properties: _properties, ...rest } = schema;
  return kept.length === 0 ? rest : { ...rest, properties: Object.fromEntries(kept) };
};

type Definitions = Readonly<Record<string, ValueSchema>>;

/** Returns the schema with resolved references. */
const resolveReferences = (value: unknown, definitions: Definitions): unknown => {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, definitions));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as { readonly $ref?: string };
  const target = $ref === undefined ? {} : definitions[$ref.replace('#/$defs/', '')];
  return Object.fromEntries(
    Object.entries({ ...target, ...rest }).map(([key, inner]) => [
      key,
      resolveReferences(inner, definitions),
    ]),
  );
};

/** Returns the schema of a resource's `spec` as a chart value. */
export function createSpecSchema(kind: ResourceKind): ValueSchema {
  const { $defs, properties } = createJsonSchema(kind) as unknown as {
    readonly $defs: Definitions;
    readonly properties: Definitions;
  };
  return resolveReferences(properties['spec'], $defs) as ValueSchema;
}

/** Constraints of a text of the resource `MCPServer`. */
interface FieldBounds {
  readonly pattern: string;
  readonly maxLength: number;
}

interface ServerDefinitions {
  readonly $defs: Readonly<
    Record<string, { readonly properties: Readonly<Record<string, Partial<FieldBounds>>> }>
  >;
}

const { $defs } = createJsonSchema('MCPServer') as unknown as ServerDefinitions;

/**
 * Returns pattern and maximum length of a text of the resource `MCPServer`, so that no chart repeats them.
 *
 * @param definition name of a definition in its JSON Schema, such as `Family`
 */
export function readFieldBounds(definition: string, field: string): FieldBounds {
  const { pattern, maxLength } = $defs[definition]?.properties[field] ?? {};
  if (pattern === undefined || maxLength === undefined)
    throw new Error(`${definition}.${field} has no pattern or no bound`);
  return { pattern, maxLength };
}

type Json = Record<string, unknown>;

/** Converts `anyOf: [X, null]` to one schema with two types. */
const joinNull = (schema: Json): void => {
  const options = schema['anyOf'] as readonly Json[] | undefined;
  const [value, none] = options ?? [];
  if (options?.length !== 2 || typeof value?.['type'] !== 'string') return;
  if (none?.['type'] !== 'null') return;
  delete schema['anyOf'];
  const { enum: allowed, const: only, ...rest } = value;
  const listed = only === undefined ? allowed : [only];
  const own = { ...schema };
  // An enumeration must contain null too.
  if (Array.isArray(listed)) Object.assign(rest, { enum: [...(listed as unknown[]), null] });
  Object.assign(schema, rest, own, { type: [value['type'], 'null'] });
};

const isEmpty = (value: unknown): boolean => JSON.stringify(value) === '{}';

const trim = (schema: Json): void => {
  joinNull(schema);
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  // Keys are always texts.
  if (JSON.stringify(schema['propertyNames']) === '{"type":"string"}')
    delete schema['propertyNames'];
  // A schema without `additionalProperties` permits any other key.
  if (isEmpty(schema['additionalProperties'])) delete schema['additionalProperties'];
  // An open map lists no values; the values of a group have its defaults.
  if (isEmpty(schema['properties'])) delete schema['properties'];
  if (schema['properties'] !== undefined && isEmpty(schema['default'])) delete schema['default'];
};

/**
 * How a schema shows a definition of another package: the configuration of the gateway, the specs of resources too (`whole`),
 * or only what differs in a pod (`differences`).
 */
export type ForeignDetail = 'configuration' | 'whole' | 'differences';

/** Reference to a definition in another package: `.meta({ standsFor: … })`. */
const FOREIGN: Readonly<Record<string, (detail: ForeignDetail) => ValueSchema | undefined>> = {
  configuration: (detail) =>
    detail === 'differences'
      ? pickDifferences(createConfigurationSchema())
      : createConfigurationSchema(),
  MCPServer: (detail) => (detail === 'whole' ? createSpecSchema('MCPServer') : undefined),
  Workflow: (detail) => (detail === 'whole' ? createSpecSchema('Workflow') : undefined),
};

const replacePlaceholder = (schema: Json, detail: ForeignDetail): void => {
  const { standsFor, description } = schema;
  if (typeof standsFor !== 'string') return;
  delete schema['standsFor'];
  const foreign = FOREIGN[standsFor]?.(detail);
  if (foreign !== undefined) Object.assign(schema, foreign, { description });
};

/**
 * Returns the `values.schema.json` of a chart from the definition of its values. Draft 7, which every Helm 3 reads.
 * Keys with a default are required: Helm validates after it merged the defaults, so only a key that was
 * set to null is missing, and the refusal names it. Optional keys are not required, and their default is to be absent.
 *
 * @param detail how much of the definitions of other packages is spelled out
 */
export function createChartSchema(
  values: z.ZodType,
  detail: ForeignDetail = 'configuration',
): ValueSchema {
  return z.toJSONSchema(values, {
    target: 'draft-7',
    io: 'output',
    override: ({ jsonSchema }) => {
      trim(jsonSchema);
      replacePlaceholder(jsonSchema, detail);
    },
  }) as ValueSchema;
}
