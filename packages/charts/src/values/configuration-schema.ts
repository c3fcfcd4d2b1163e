import { configJsonSchema, DEFAULT_HEALTH_PORT } from '@gateway/gateway-config';
import type { ValueSchema } from './value-schema.ts';

const configuration = configJsonSchema() as ValueSchema;

/**
 * Returns the default of a number in the configuration of the gateway, so that no chart repeats it.
 *
 * @param path of the key, such as `http.port`
 */
export function configurationDefault(path: string): number {
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
      'Permitted core tools that write: `all` (every client can run commands in the pod), `workflows` (definitions of workflows) or `none`. Unset: `none`.',
  },
  'http.port': {
    description: `Port of the container. Unset: \`${configurationDefault('http.port').toString()}\`.`,
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
const sentence = (phrase: string, fallback: unknown): string => {
  const defaultText = fallback === undefined ? '' : ` Unset: \`${JSON.stringify(fallback)}\`.`;
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.${defaultText}`;
};

const asValue = (schema: ValueSchema, path: string): ValueSchema => {
  const { description, default: fallback, properties, ...rest } = schema;
  return {
    ...(description !== undefined && { description: sentence(description, fallback) }),
    ...rest,
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [
          key,
          asValue(value, path === '' ? key : `${path}.${key}`),
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
export function configurationSchema(): ValueSchema {
  const own = Object.entries(configuration).filter(([key]) => key !== '$schema' && key !== 'title');
  const { properties, ...values } = asValue(Object.fromEntries(own), '');
  return {
    ...values,
    properties: { ...properties, toolsetPresets: withRemovals(properties?.['toolsetPresets']) },
  };
}
