import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ManifestObject } from '../../src/render.ts';

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

/** Lays the gateway's configuration and the servers out as a configuration directory. */
export async function writeConfigDirectory(
  directory: string,
  objects: readonly ManifestObject[],
): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(join(directory, 'mcpservers'), { recursive: true });
  for (const server of serversOf(objects))
    await writeFile(join(directory, `mcpservers/${server.metadata.name}.yaml`), stringify(server));
  for (const [name, text] of Object.entries(configurationOf(objects)))
    await writeFile(join(directory, name), text);
}
