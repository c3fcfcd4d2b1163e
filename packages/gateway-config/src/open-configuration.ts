import { resolve } from 'node:path';
import { DEFAULT_API_GROUP } from '@gateway/crd-schemas';
import type { PresetSet } from '@gateway/preset-resolver';
import {
  openFileStore,
  readDirectory,
  resourceProblemText,
  type FileStoreOptions,
  type GatewayStore,
} from '@gateway/resource-store';
import type { GatewayConfig } from './parse-config.ts';
import { readConfiguration } from './read-configuration.ts';

/** A configuration directory whose `config.yaml` is valid. Otherwise its problems were written to stderr. */
export type OpenedConfiguration =
  | {
      readonly ok: true;
      readonly config: GatewayConfig;
      readonly presets: PresetSet;
      readonly store: GatewayStore;
      /** The directory, as an absolute path. */
      readonly directory: string;
      /** Absolute path of the state directory. */
      readonly stateDirectory: string;
      /** Absolute path of the directory of records; absent when it is not configured. */
      readonly executionsDirectory?: string;
    }
  | { readonly ok: false };

/**
 * Reads `config.yaml`, then opens the directory with the API group that it names.
 *
 * @param options.startYamlThread starts the thread that parses large files; they block the event loop when absent
 */
export async function openConfiguration(
  directory: string,
  { startYamlThread }: Pick<FileStoreOptions, 'startYamlThread'> = {},
): Promise<OpenedConfiguration> {
  const apiGroup = process.env['GATEWAY_API_GROUP'] || DEFAULT_API_GROUP;
  const first = await readDirectory(directory, { apiGroup });
  const configuration = readConfiguration(first.config);
  const problems = [...first.configProblems, ...(configuration.ok ? [] : configuration.problems)];
  if (problems.length > 0 || !configuration.ok) {
    for (const problem of problems) process.stderr.write(`${resourceProblemText(problem)}\n`);
    return { ok: false };
  }
  const { config, presets } = configuration;
  const store = await openFileStore({
    directory,
    apiGroup: config.apiGroup,
    ...(startYamlThread === undefined ? {} : { startYamlThread }),
  });
  const { executionsDirectory: folder } = config.workflows;
  const written = folder !== undefined && { executionsDirectory: resolve(directory, folder) };
  const stateDirectory = resolve(directory, config.stateDirectory);
  return {
    ok: true,
    ...{ config, presets, store, directory: resolve(directory), stateDirectory },
    ...written,
  };
}
