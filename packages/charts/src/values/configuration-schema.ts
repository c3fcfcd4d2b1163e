import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValueSchema } from './value-schema.ts';

const FILE = join(import.meta.dirname, '../../../../packages/gateway-config/config.schema.json');

const configuration = JSON.parse(readFileSync(FILE, 'utf8')) as ValueSchema;

/**
 * The gateway's own default of a number in its configuration, so that no chart repeats it.
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

/** What a key of the configuration means in a pod, where that differs. */
const IN_A_POD: Readonly<Record<string, ValueSchema>> = {
  apiGroup: {
    description: 'The chart sets it from the value `apiGroup`; another one is refused.',
  },
  labelDomain: {
    description: 'The chart sets it from the value `labelDomain`; another one is refused.',
  },
  stateDirectory: {
    description:
      'Folder for events and for what servers declared, an absolute path. Unset: `/var/lib/gateway/state`.',
  },
  'http.host': {
    description:
      'Address to listen on. Unset: `0.0.0.0`; `::` where the cluster has IPv6 only. Loopback is refused.',
  },
  'http.port': {
    description: `Port of the container. Unset: \`${configurationDefault('http.port').toString()}\`.`,
    minimum: 1,
  },
  'http.allowedHosts': {
    description:
      'Further `Host` values that are served, beside the names of the Service, of the Ingress and of the HTTPRoute (protection from DNS rebinding).',
  },
  'workflows.executionsDirectory': {
    description:
      'Folder for the records of runs, an absolute path. Unset: `/var/lib/gateway/executions`.',
  },
};

/** A sentence of what stands as a phrase, and the default, which is told instead of set. */
const sentence = (phrase: string, fallback: unknown): string => {
  const told = fallback === undefined ? '' : ` Unset: \`${JSON.stringify(fallback)}\`.`;
  return `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.${told}`;
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

/** A map whose entries may be null: that is how an installation removes what a parent chart ships. */
const withRemovals = ({ additionalProperties, ...map }: ValueSchema = {}): ValueSchema => ({
  ...map,
  additionalProperties: { ...(additionalProperties as ValueSchema), type: ['object', 'null'] },
});

/**
 * The schema of the gateway's `config.yaml` as values of a chart: no default is set, so that what is left out has the
 * gateway's own.
 */
export function configurationSchema(): ValueSchema {
  const own = Object.entries(configuration).filter(([key]) => key !== '$schema' && key !== 'title');
  const { properties, ...values } = asValue(Object.fromEntries(own), '');
  return {
    ...values,
    properties: { ...properties, toolsetPresets: withRemovals(properties?.['toolsetPresets']) },
  };
}
