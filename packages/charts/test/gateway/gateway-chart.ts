import { parse } from 'yaml';
import type { ManifestObject, ChartOptions } from '../../src/render.ts';
import { valuesOfCase } from '../harness/render-cases.ts';
import { deploymentOf, renderedObjects } from '../harness/rendered-objects.ts';

/** Renders the chart; throws with its refusal. */
export const gatewayObjects = (
  values: unknown,
  options?: ChartOptions,
): Promise<readonly ManifestObject[]> => renderedObjects('gateway', values, options);

/** The values with all options enabled. */
export const FULL = valuesOfCase('gateway', 'full');

const PLATFORM = { namespace: 'agent-platform' };

/** The objects of the defaults, of {@link FULL}, and of a gateway that signs users in. */
export const [DEFAULT_OBJECTS, FULL_OBJECTS, SIGN_IN_OBJECTS] = await Promise.all([
  gatewayObjects({}),
  gatewayObjects(FULL, PLATFORM),
  gatewayObjects(valuesOfCase('gateway', 'sign-in'), PLATFORM),
]);

/** The files of the configuration as the kubelet lays them out: contents by path, of rendered ConfigMaps and of given ones. */
export function configurationFiles(
  objects: readonly ManifestObject[],
  given: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Readonly<Record<string, string>> {
  const maps = new Map(Object.entries(given));
  for (const { kind, metadata, ...rest } of objects)
    if (kind === 'ConfigMap') maps.set(metadata.name, rest['data'] as Record<string, string>);
  const sources = deploymentOf(objects).template.spec.volumes[0]?.projected?.sources ?? [];
  return Object.fromEntries(
    sources.flatMap(({ configMap, secret }) => {
      const { name = '', items = [] } = configMap ?? secret ?? {};
      return items.map(({ key, path }) => [path, maps.get(name)?.[key] ?? `no ${key} in ${name}`]);
    }),
  );
}

/** `config.yaml` of a render, parsed. */
export const configOf = (objects: readonly ManifestObject[]): Readonly<Record<string, unknown>> =>
  parse(configurationFiles(objects)['config.yaml'] ?? '') as Record<string, unknown>;
