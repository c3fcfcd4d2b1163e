import { resolve } from 'node:path';
import { readConfiguration } from '@gateway/gateway-config';
import { readDirectory } from '@gateway/resource-store';
import { CommandFailure } from '../failure.ts';
import { registrySource, type RegistrySource } from './registry-source.ts';

/** The registries of a command. */
export interface RegistryRequest {
  readonly registry?: readonly string[] | undefined;
  readonly configDir?: string | undefined;
}

const registriesOf = async (directory: string): Promise<readonly string[]> => {
  const configuration = readConfiguration((await readDirectory(directory)).config);
  if (!configuration.ok)
    throw new CommandFailure(
      'refused',
      `the config.yaml of ${directory} is not valid: run gateway validate --config-dir ${directory}`,
    );
  return configuration.config.servers.registries.map((registry) =>
    registrySource(registry).kind === 'file' ? resolve(directory, registry) : registry,
  );
};

/**
 * Returns the registries that `--registry` names, otherwise those of `config.yaml`.
 *
 * @throws CommandFailure when there is none
 */
export const registrySources = async ({
  registry,
  configDir,
}: RegistryRequest): Promise<readonly RegistrySource[]> => {
  const named = registry ?? (configDir === undefined ? [] : await registriesOf(configDir));
  if (named.length === 0)
    throw new CommandFailure(
      'refused',
      'no registry is named: use --registry with a server.json, a URL of one, or the URL of a registry such as https://registry.modelcontextprotocol.io, or name registries as servers.registries in config.yaml',
    );
  return [...new Set(named)].map(registrySource);
};
