import type { CatalogTool } from './catalog-tool.ts';
import type { CatalogWarning } from './catalog-warning.ts';
import { checkedNames } from './checked-names.ts';
import { exposedName, exposedUri } from './exposed-name.ts';
import type { FamilySurface } from './family-surface.ts';
import { hintsOf } from './hints.ts';
import { sameItems } from './same-items.ts';
import type { ServerInventory, ServerTool } from './server-inventory.ts';
import type { CatalogPrompt, CatalogResource, CatalogResourceTemplate } from './snapshot.ts';
import { prefixOf } from './server-names.ts';
import { summaryOf } from './tool-summary.ts';
import { checkTemplates } from './uri-template.ts';

/** The entries that one server contributes on its own, in its own order. */
export interface ServerEntries {
  /** The server's tools that no family serves for it. */
  readonly served: readonly ServerTool[];
  /** Their entries but for those with names that are not served; the place in the catalog is given later. */
  readonly tools: readonly CatalogTool[];
  /** Problems with names of tools and with resource templates. */
  readonly warnings: readonly CatalogWarning[];
  readonly resources: readonly CatalogResource[];
  readonly resourceTemplates: readonly CatalogResourceTemplate[];
  readonly prompts: readonly CatalogPrompt[];
}

function toolEntry(server: string, prefix: string, tool: ServerTool): CatalogTool {
  const { title, description = '', inputSchema, outputSchema } = tool;
  const annotations = hintsOf(tool.annotations);
  return {
    name: exposedName(prefix, tool.name),
    kind: 'tool',
    position: -1,
    server,
    ...(title !== undefined && { title }),
    description,
    summary: summaryOf(description),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
    providers: [{ server, serverTool: tool.name }],
    ...(tool.listed !== undefined && { listed: tool.listed }),
  };
}

function newEntries(inventory: ServerInventory, served: readonly ServerTool[]): ServerEntries {
  const server = inventory.name;
  const prefix = prefixOf(inventory);
  const named = checkedNames(served.map((tool) => toolEntry(server, prefix, tool)));
  const templates = checkTemplates(
    inventory.resourceTemplates.map((template) => ({ ...template, server })),
  );
  return {
    served,
    tools: named.tools,
    warnings: [...named.warnings, ...templates.warnings],
    resources: inventory.resources.map((resource) => ({
      ...resource,
      uri: exposedUri(prefix, resource.uri),
      server,
      serverUri: resource.uri,
    })),
    resourceTemplates: templates.resourceTemplates,
    prompts: inventory.prompts.map((prompt) => ({
      ...prompt,
      name: exposedName(prefix, prompt.name),
      server,
      serverPrompt: prompt.name,
    })),
  };
}

/**
 * The entries of one server, shared with the previous ones when neither the server nor what its family serves for it changed.
 *
 * @param surface the surface of the server's family, if it has one
 * @param previous the entries of the same inventory object in the previous build
 */
export function serverEntries(
  inventory: ServerInventory,
  surface: FamilySurface | undefined,
  previous: ServerEntries | undefined,
): ServerEntries {
  const served =
    surface === undefined
      ? inventory.tools
      : inventory.tools.filter((tool) => !surface.grouped.has(tool.name));
  if (previous !== undefined && sameItems(previous.served, served)) return previous;
  return newEntries(inventory, served);
}
