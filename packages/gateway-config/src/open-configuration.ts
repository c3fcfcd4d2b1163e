import { resolve } from 'node:path';
import { DEFAULT_API_GROUP } from '@gateway/crd-schemas';
import type { PresetSet } from '@gateway/preset-resolver';
import {
  openClusterStore,
  openFileStore,
  readDirectory,
  formatProblem,
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

/** Options of {@link openConfiguration}. */
export interface OpenConfigurationOptions extends Pick<FileStoreOptions, 'parseElsewhere'> {
  /** Receives lines for the log about a cluster; must not throw. They are written to stderr when absent. */
  readonly onWarning?: (line: string) => void;
}

const writeLine = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * Reads `config.yaml`, then opens the directory with the API group that it names, or the cluster that it enables.
 *
 * @param options.parseElsewhere parses large files; they block the event loop when absent
 */
export async function openConfiguration(
  directory: string,
  options: OpenConfigurationOptions = {},
): Promise<OpenedConfiguration> {
  const apiGroup = process.env['GATEWAY_API_GROUP'] || DEFAULT_API_GROUP;
  const first = await readDirectory(directory, { apiGroup });
  const configuration = readConfiguration(first.config);
  const problems = [...first.configProblems, ...(configuration.ok ? [] : configuration.problems)];
  if (problems.length > 0 || !configuration.ok) {
    problems.map(formatProblem).forEach(writeLine);
    return { ok: false };
  }
  const { config, presets } = configuration;
  const store = await openStore(directory, config, options);
  if (store === undefined) return { ok: false };
  const { executionsDirectory: folder } = config.workflows;
  const written = folder !== undefined && { executionsDirectory: resolve(directory, folder) };
  const stateDirectory = resolve(directory, config.stateDirectory);
  return {
    ok: true,
    config,
    presets,
    store,
    directory: resolve(directory),
    stateDirectory,
    ...written,
  };
}

/** Opens the store; undefined, after its problem was written to stderr, when no cluster can be used. */
async function openStore(
  directory: string,
  { apiGroup, kubernetes }: GatewayConfig,
  { parseElsewhere, onWarning = writeLine }: OpenConfigurationOptions,
): Promise<GatewayStore | undefined> {
  const files = { directory, apiGroup, parseElsewhere };
  const { enabled, kubeconfig, context, namespace, ...cluster } = kubernetes;
  if (!enabled) return openFileStore(files);
  const opened = await openClusterStore({
    ...files,
    ...cluster,
    onWarning,
    ...(kubeconfig === undefined ? {} : { kubeconfig: resolve(directory, kubeconfig) }),
    ...(context === undefined ? {} : { context }),
    ...(namespace === undefined ? {} : { namespace }),
  });
  if (opened.ok) return opened.store;
  writeLine(`kubernetes: ${opened.problem}`);
  return undefined;
}
