import type { McpServer } from '@gateway/crd-schemas';
import { declaredToolNames } from '@gateway/downstream';
import { excludeGapText, gapsAmong, type PresetSet } from '@gateway/preset-resolver';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { GatewayConfig } from './parse-config.ts';

/** The facts of a configuration directory that need no server. */
export interface KnownDirectory {
  readonly directory: string;
  readonly config: GatewayConfig;
  readonly presets: PresetSet;
  readonly servers: readonly McpServer[];
  /** The tools that workflows call. */
  readonly workflowTools: readonly string[];
}

/** Returns the exposed names of the tools that the servers had when a gateway last ran with this directory. */
const storedNames = async ({ directory, config, servers }: KnownDirectory) => {
  const file = join(resolve(directory, config.stateDirectory), 'declared-tools.json');
  try {
    return declaredToolNames(await readFile(file, 'utf8'), servers);
  } catch {
    return [];
  }
};

/**
 * Returns warnings of patterns in `exclude` that miss a tool because `*` stops at `/`, among the names that the configuration contains
 * and those that the servers had when a gateway last ran.
 *
 * @spec §2.2
 */
export async function presetWarnings(known: KnownDirectory): Promise<readonly string[]> {
  const presets = [...known.presets.byName.values()];
  const named = presets.flatMap(({ include }) =>
    include.flatMap((rule) => (rule.kind === 'tool' ? [rule.name] : [])),
  );
  const names = new Set([...named, ...known.workflowTools, ...(await storedNames(known))]);
  return presets.flatMap((preset) => {
    const isExcluded = (name: string): boolean =>
      preset.exclude.some(
        (rule) =>
          (rule.kind === 'tool' && rule.name === name) ||
          (rule.kind === 'pattern' && rule.matches(name)),
      );
    const left = Array.from(names).filter((name) => !isExcluded(name));
    return gapsAmong(preset, left).map(excludeGapText);
  });
}
