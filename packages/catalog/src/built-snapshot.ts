import type { CatalogTool } from './catalog-tool.ts';
import type { CatalogWarning } from './catalog-warning.ts';
import { workflowToolName } from './exposed-name.ts';
import { groupBy } from './group-by.ts';
import { indexByUri } from './normalize-uri.ts';
import { indexTemplates } from './uri-template.ts';
import type {
  CatalogPrompt,
  CatalogResource,
  CatalogResourceTemplate,
  CatalogSnapshot,
} from './snapshot.ts';

/** Everything that a snapshot holds, in catalog order. Maps are in that order too. */
export interface SnapshotParts {
  readonly tools: readonly CatalogTool[];
  readonly toolByName: ReadonlyMap<string, CatalogTool>;
  readonly resources: readonly CatalogResource[];
  readonly resourceTemplates: readonly CatalogResourceTemplate[];
  readonly promptByName: ReadonlyMap<string, CatalogPrompt>;
  readonly serverLabels: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly warnings: readonly CatalogWarning[];
}

/** The names under which a tool belongs to a server: its server or family, and the members that provide it. */
function serverNamesOf(tool: CatalogTool): readonly string[] {
  if (tool.server === undefined) return [];
  if (tool.instanceArg === undefined) return [tool.server];
  return [tool.server, ...tool.providers.map(({ server }) => server)];
}

/** Makes the snapshot of these parts, with every index that look-ups need. */
export function builtSnapshot(parts: SnapshotParts): CatalogSnapshot {
  const { tools, toolByName, promptByName } = parts;
  const byServer = groupBy(tools, serverNamesOf);
  return {
    tools,
    resources: parts.resources,
    resourceTemplates: parts.resourceTemplates,
    prompts: [...promptByName.values()],
    tool: (name) => toolByName.get(name),
    toolsOfServer: (name) => byServer.get(name) ?? [],
    toolOfWorkflow: (name) => toolByName.get(workflowToolName(name)),
    readOnlyTools: tools.filter((tool) => tool.annotations?.readOnlyHint === true),
    coreTools: tools.filter((tool) => tool.kind === 'core'),
    serverLabels: parts.serverLabels,
    resourcesOfUri: indexByUri(parts.resources, ({ uri }) => uri),
    resourceTemplatesOfUri: indexTemplates(parts.resourceTemplates),
    prompt: (name) => promptByName.get(name),
    warnings: parts.warnings,
  };
}
