import { MAX_ISSUES, formatError, type McpServer } from '@gateway/crd-schemas';
import {
  formatExcludeGap,
  findExcludeGaps,
  formatError as formatPresetError,
  parsePresets,
  type PresetSet,
} from '@gateway/preset-resolver';
import type { ConfigDocument, ResourceProblem } from '@gateway/resource-store';
import { type GatewayConfig, parseConfig } from './parse-config.ts';
import { GATEWAY_VERSION } from './version.ts';
import { listDeclaredToolNames } from '@gateway/downstream';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The facts of a configuration directory that need no server. */
interface KnownDirectory {
  readonly directory: string;
  readonly config: GatewayConfig;
  readonly presets: PresetSet;
  readonly servers: readonly McpServer[];
  /** The tools that workflows call. */
  readonly workflowTools: readonly string[];
}

/** Returns the exposed names of the tools that the servers had when a gateway last ran with this directory. */
const readToolNames = async ({ directory, config, servers }: KnownDirectory) => {
  const file = join(resolve(directory, config.stateDirectory), 'declared-tools.json');
  try {
    return listDeclaredToolNames(await readFile(file, 'utf8'), servers);
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
export async function listPresetWarnings(known: KnownDirectory): Promise<readonly string[]> {
  const presets = [...known.presets.byName.values()];
  const named = presets.flatMap(({ include }) =>
    include.flatMap((rule) => (rule.kind === 'tool' ? [rule.name] : [])),
  );
  const names = new Set([...named, ...known.workflowTools, ...(await readToolNames(known))]);
  return presets.flatMap((preset) => {
    const isExcluded = (name: string): boolean =>
      preset.exclude.some(
        (rule) =>
          (rule.kind === 'tool' && rule.name === name) ||
          (rule.kind === 'pattern' && rule.matches(name)),
      );
    const left = Array.from(names).filter((name) => !isExcluded(name));
    return findExcludeGaps(preset, left).map(formatExcludeGap);
  });
}

/** The parsed `config.yaml`, or its first 20 problems with their positions in the file. */
export type Configuration =
  | { readonly ok: true; readonly config: GatewayConfig; readonly presets: PresetSet }
  | { readonly ok: false; readonly problems: readonly ResourceProblem[] };

/**
 * Parses the document of `config.yaml`. Without a document every key has its default.
 *
 * @spec §2.2, §7.3
 */
export function readConfiguration(document: ConfigDocument | undefined): Configuration {
  const parsed = parseConfig(document?.value, process.env);
  const value = document?.value;
  const presets = parsePresets(toPresets(value), { gatewayVersion: GATEWAY_VERSION });
  if (parsed.ok && presets.ok) return { ok: true, config: parsed.config, presets: presets.value };
  const place = (path: readonly (string | number)[], message: string): ResourceProblem => ({
    source: document?.source ?? 'config.yaml',
    kind: 'Configuration',
    ...document?.locate(path),
    message: formatError({ path: [], message }),
  });
  return {
    ok: false,
    problems: sortByPosition([
      ...(parsed.ok ? [] : parsed.issues.map(({ path, message }) => place(path, message))),
      ...(presets.ok
        ? []
        : presets.error.map((error) =>
            place(['toolsetPresets', ...error.path], formatPresetError(error)),
          )),
    ]).slice(0, MAX_ISSUES),
  };
}

/** Sorts problems by position; problems without a position come first. */
function sortByPosition(problems: readonly ResourceProblem[]): readonly ResourceProblem[] {
  return problems.toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

function toPresets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, 'toolsetPresets')
    ? (value as Record<string, unknown>)['toolsetPresets']
    : undefined;
}
