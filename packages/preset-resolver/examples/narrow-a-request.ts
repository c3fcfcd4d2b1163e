import { buildCatalog, type CatalogSnapshot } from '@gateway/catalog';
import { formatError, parsePresets, resolveToolset } from '@gateway/preset-resolver';
import { formatError as formatToolsetError, parseToolset } from '@gateway/toolset-grammar';

const parsed = parsePresets(
  { writers: { include: [{ pattern: 'x_*' }], exclude: [{ readOnly: true }] } },
  { gatewayVersion: '5.13.0' },
);
if (!parsed.ok) throw new Error(parsed.error.map(formatError).join('\n'));
const presets = parsed.value;

/** The tools that a request may see, or why it is refused. */
export const toolsOf = (items: readonly string[], catalog: CatalogSnapshot): string => {
  const inline = parseToolset(items);
  if (!inline.ok) return formatToolsetError(inline.error);
  const resolved = resolveToolset({ toolset: inline.value, presets, catalog });
  if (!resolved.ok) return formatError(resolved.error);
  return resolved.value.selection.tools.map(({ name }) => name).join(', ');
};

const server = { name: 'git', labels: {}, resources: [], resourceTemplates: [], prompts: [] };
const tools = [
  { name: 'log', inputSchema: {}, annotations: { readOnlyHint: true } },
  { name: 'push', inputSchema: {} },
];
export const catalog = buildCatalog({
  servers: [{ ...server, tools }],
  workflows: [],
  coreTools: [],
});

toolsOf(['preset:writers'], catalog); // x_git_push
toolsOf(['preset:readers'], catalog); // toolset [preset:readers] names unknown preset "readers"; known presets: …
