import {
  buildCatalog,
  type CatalogInput,
  type CatalogSnapshot,
  type ServerInventory,
  type ToolSelection,
} from '@gateway/catalog';
import { parseToolset } from '@gateway/toolset-grammar';
import {
  parsePresets,
  resolveToolset,
  formatError,
  type PresetSet,
  type ResolvedToolset,
  type ToolsetQuestion,
} from '../src/index.ts';

const inputSchema = { type: 'object', properties: {} };

/** A server whose tools are read-only when their name begins with `get_`. */
export const server = (
  name: string,
  tools: readonly string[],
  extra: Partial<ServerInventory> = {},
): ServerInventory => ({
  name,
  labels: {},
  resources: [],
  resourceTemplates: [],
  prompts: [],
  tools: tools.map((tool) => ({
    name: tool,
    inputSchema,
    ...(tool.startsWith('get_') ? { annotations: { readOnlyHint: true } } : {}),
  })),
  ...extra,
});

const family = { name: 'k8s', instanceArg: 'cluster' };

/** Two servers, a family of two members, two workflows, three core tools. */
export const exampleInput: CatalogInput = {
  servers: [
    server('files', ['get_file', 'write_file'], { labels: { team: 'docs', empty: '' } }),
    server('git', ['get_log', 'push'], { labels: { team: 'code' } }),
    server('k8s-eu', ['get_pods', 'delete_pod'], { family, labels: { zone: 'eu' } }),
    server('k8s-us', ['get_pods', 'drain'], { family, labels: { zone: 'us' } }),
  ],
  workflows: [
    {
      name: 'report',
      description: '',
      inputSchema,
      referencedTools: ['core_workflow_list', 'x_git_get_log', 'x_k8s_get_pods'],
    },
    {
      name: 'deploy',
      description: '',
      inputSchema,
      referencedTools: ['x_git_get_log', 'x_git_push'],
    },
  ],
  coreTools: [
    {
      name: 'core_workflow_list',
      description: '',
      inputSchema,
      annotations: { readOnlyHint: true },
    },
    { name: 'core_workflow_delete', description: '', inputSchema, annotations: {} },
    { name: 'core_config_get', description: '', inputSchema, annotations: { readOnlyHint: true } },
  ],
};

export const exampleCatalog = buildCatalog(exampleInput);

/** Every tool of the example in catalog order. */
export const ALL_TOOLS = exampleCatalog.tools.map(({ name }) => name);

/** The presets of a configuration that is right. */
export const presetsOf = (config: unknown): PresetSet => {
  const parsed = parsePresets(config, { gatewayVersion: '5.13.0' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};

export const namesOf = (selection: ToolSelection): readonly string[] =>
  selection.tools.map(({ name }) => name);

interface Setting {
  readonly config?: unknown;
  readonly presets?: PresetSet;
  readonly catalog?: CatalogSnapshot;
  readonly within?: ToolSelection;
}

/** Resolves a toolset that is right by its grammar. */
export const resolve = (
  items: readonly string[],
  { config, presets = presetsOf(config), catalog = exampleCatalog, ...rest }: Setting = {},
): ResolvedToolset => {
  const parsed = parseToolset(items);
  if (!parsed.ok) throw new Error(parsed.error.code);
  const question: ToolsetQuestion = { toolset: parsed.value, presets, catalog, ...rest };
  return resolveToolset(question);
};

/** The names that a toolset selects, or the text of its refusal. */
export const selected = (
  items: readonly string[],
  setting?: Setting,
): readonly string[] | string => {
  const resolved = resolve(items, setting);
  return resolved.ok ? namesOf(resolved.value.selection) : formatError(resolved.error);
};

/** The names that one preset selects, given its includes and excludes. */
export const selectedBy = (
  include: readonly unknown[],
  exclude: readonly unknown[] = [],
): readonly string[] | string => selected(['preset:p'], { config: { p: { include, exclude } } });
