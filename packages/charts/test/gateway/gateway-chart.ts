import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parseManifestObjects, type ManifestObject, type ChartOptions } from '../../src/render.ts';
import { renderedObjects } from '../harness/rendered-objects.ts';

const GOLDEN = join(import.meta.dirname, '../golden/gateway');

const golden = (file: string): string => readFileSync(join(GOLDEN, file), 'utf8');

/** The values with all options enabled. */
export const FULL = parse(golden('full.values.yaml')) as Readonly<Record<string, unknown>>;

/** The golden output of {@link FULL}. */
export const FULL_OBJECTS: readonly ManifestObject[] = parseManifestObjects(golden('full.yaml'));

/** The golden output of a gateway that signs users in. */
export const SIGN_IN_OBJECTS: readonly ManifestObject[] = parseManifestObjects(
  golden('sign-in.yaml'),
);

/** The golden output of the defaults. */
export const DEFAULT_OBJECTS: readonly ManifestObject[] = parseManifestObjects(
  golden('defaults.yaml'),
);

/** Renders the chart; throws with its refusal. */
export const gatewayObjects = (
  values: unknown,
  options?: ChartOptions,
): Promise<readonly ManifestObject[]> => renderedObjects('gateway', values, options);

/** The one object of a kind; throws when there is none. */
export function objectOf(objects: readonly ManifestObject[], kind: string): ManifestObject {
  const found = objects.find((object) => object.kind === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
}

/** The tested parts of the Deployment. */
export interface Deployment {
  readonly replicas?: number;
  readonly strategy: unknown;
  readonly template: {
    readonly metadata: {
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    };
    readonly spec: {
      readonly containers: readonly (Readonly<Record<string, unknown>> & {
        readonly args: readonly string[];
      })[];
      readonly volumes: readonly Volume[];
      readonly [key: string]: unknown;
    };
  };
}

interface Volume {
  readonly name: string;
  readonly projected?: { readonly sources: readonly Source[] };
  readonly [key: string]: unknown;
}

interface Source {
  readonly configMap?: Files;
  readonly secret?: Files;
}

interface Files {
  readonly name: string;
  readonly items: readonly { readonly key: string; readonly path: string }[];
}

/** The spec of the Deployment. */
export const deploymentOf = (objects: readonly ManifestObject[]): Deployment =>
  objectOf(objects, 'Deployment')['spec'] as Deployment;

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
