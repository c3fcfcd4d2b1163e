import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ChartName } from '../../src/assemble-charts.ts';
import type { ManifestObject } from '../../src/render.ts';
import { renderedObjects } from './rendered-objects.ts';

/** Returns the objects that Flux would install, rendered with the values and the name of each release. */
export async function fleetObjects(values: unknown): Promise<readonly ManifestObject[]> {
  const fleet = await renderedObjects('agent-platform', values);
  const urls = new Map(
    fleet
      .filter(({ kind }) => kind === 'OCIRepository')
      .map(({ metadata, spec }) => [metadata.name, (spec as { url: string }).url]),
  );
  const releases = fleet.filter(({ kind }) => kind === 'HelmRelease');
  const parts = await Promise.all(
    releases.map(async ({ metadata, spec }) => {
      const {
        releaseName,
        targetNamespace,
        values: given,
      } = spec as Readonly<Record<string, string>>;
      const chart = urls.get(metadata.name)?.split('/').at(-1) as ChartName;
      return await renderedObjects(chart, given, {
        release: String(releaseName),
        namespace: String(targetNamespace),
      });
    }),
  );
  return parts.flat();
}

/** The files of the gateway's ConfigMap, by name. */
export function configurationOf(
  objects: readonly ManifestObject[],
): Readonly<Record<string, string>> {
  const config = objects.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-config'),
  );
  return (config?.['data'] ?? {}) as Record<string, string>;
}

/** The servers of all parts. */
export const serversOf = (objects: readonly ManifestObject[]): readonly ManifestObject[] =>
  objects.filter(({ kind }) => kind === 'MCPServer');

/** Lays servers out as files of a configuration directory, in place of those that are there. */
export async function writeServers(
  directory: string,
  servers: readonly ManifestObject[],
): Promise<void> {
  const folder = join(directory, 'mcpservers');
  await mkdir(folder, { recursive: true });
  for (const server of servers)
    await writeFile(join(folder, `${server.metadata.name}.yaml`), stringify(server));
}

/** Lays the gateway's configuration and the servers out as a configuration directory. */
export async function writeConfigDirectory(
  directory: string,
  objects: readonly ManifestObject[],
): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await writeServers(directory, serversOf(objects));
  for (const [name, text] of Object.entries(configurationOf(objects)))
    await writeFile(join(directory, name), text);
}
