import {
  type CatalogTool,
  type CoreToolEntry,
  readToolHints,
  formatToolSummary,
  type WorkflowToolEntry,
  formatExposedName,
  formatExposedUri,
  formatWorkflowToolName,
} from './catalog-tool.ts';
import {
  type CatalogWarning,
  type NameOwner,
  toNameOwner,
  formatOwner,
  checkExposedNames,
} from './catalog-warning.ts';
import { hasSameItems, compareCodeUnits, groupBy } from './comparisons.ts';
import { checkTemplates, createUriIndex, indexTemplates } from './uri-template.ts';
import type {
  CatalogPrompt,
  CatalogResource,
  CatalogResourceTemplate,
  CatalogSnapshot,
  ServerInventory,
  ServerTool,
} from './snapshot.ts';
import {
  type ContestedNames,
  type HeldName,
  findOtherHolder,
  resolveNamePrefix,
} from './assign-names.ts';
import { type FamilySurface, createFamilySurfaces } from './family-surface.ts';
import { createCoreTool, readOnlyWorkflows, createWorkflowTool } from './own-tools.ts';
import { inheritIndex } from './search-index.ts';

/** The names under which a tool belongs to a server: its server or family, and the members that provide it. */
function listServerNames(tool: CatalogTool): readonly string[] {
  if (tool.server === undefined) return [];
  if (tool.instanceArg === undefined) return [tool.server];
  return [tool.server, ...tool.providers.map(({ server }) => server)];
}

/** The prompts that are served, by exposed name and in catalog order, and those whose name another owner holds. */
export interface PlacedPrompts {
  readonly byName: ReadonlyMap<string, CatalogPrompt>;
  readonly collisions: readonly CatalogWarning[];
}

/** Gives each exposed name to its holder; without one, to the first prompt that has it. */
function placePrompts(
  prompts: readonly CatalogPrompt[],
  contested: readonly HeldName[] = [],
): PlacedPrompts {
  const holders = new Map(contested.map(({ name, owner }) => [name, owner]));
  const byName = new Map<string, CatalogPrompt>();
  const collisions: CatalogWarning[] = [];
  const ownerOf = ({ server }: CatalogPrompt): NameOwner => ({ kind: 'server', name: server });
  for (const prompt of prompts) {
    const { name } = prompt;
    const placed = byName.get(name);
    const dropped = ownerOf(prompt);
    const served =
      placed === undefined ? findOtherHolder(holders.get(name), dropped) : ownerOf(placed);
    if (served === undefined) byName.set(name, prompt);
    else collisions.push({ code: 'prompt.name-collision', name, served, dropped });
  }
  return { byName, collisions };
}

/** Maximum number of collision warnings per owner whose tools are dropped. */
const MAX_COLLISIONS = 100;

/** Gives tools their places in the catalog, in the order in which they come. */
class ToolPlacement {
  readonly tools: CatalogTool[] = [];
  readonly byName = new Map<string, CatalogTool>();
  readonly collisions: CatalogWarning[] = [];
  /** By the text of the owner whose tools are dropped. */
  readonly #collisionCounts = new Map<string, number>();
  readonly #holders: ReadonlyMap<string, NameOwner>;

  /** @param contested the names that only their holders get */
  constructor(contested: readonly HeldName[] = []) {
    this.#holders = new Map(contested.map(({ name, owner }) => [name, owner]));
  }

  /**
   * Places the tools after those placed so far. A tool that already has its position remains the same object;
   * a tool whose name is taken is not placed.
   *
   * @returns the placed tools in order; the identical list when no tool moved
   */
  place(tools: readonly CatalogTool[]): readonly CatalogTool[] {
    let placed: CatalogTool[] | undefined;
    for (const [index, tool] of tools.entries()) {
      const now = this.placeOne(tool);
      if (now !== tool) placed ??= tools.slice(0, index);
      placed?.push(now);
    }
    return placed ?? tools;
  }

  /** Places one tool; one whose name is taken comes back as it is. */
  placeOne(tool: CatalogTool): CatalogTool {
    const placed = this.byName.get(tool.name);
    const served = placed === undefined ? this.#heldByOther(tool) : toNameOwner(placed);
    if (served !== undefined) {
      this.#collide(served, tool);
      return tool;
    }
    const position = this.tools.length;
    const now = tool.position === position ? tool : { ...tool, position };
    this.tools.push(now);
    this.byName.set(now.name, now);
    return now;
  }

  #heldByOther(tool: CatalogTool): NameOwner | undefined {
    if (this.#holders.size === 0) return undefined;
    return findOtherHolder(this.#holders.get(tool.name), toNameOwner(tool));
  }

  #collide(served: NameOwner, tool: CatalogTool): void {
    const dropped = toNameOwner(tool);
    const count = (this.#collisionCounts.get(formatOwner(dropped)) ?? 0) + 1;
    this.#collisionCounts.set(formatOwner(dropped), count);
    if (count > MAX_COLLISIONS) return;
    const servers = tool.providers.map(({ server }) => server);
    this.collisions.push({
      code: 'tool.name-collision',
      name: tool.name,
      served,
      dropped,
      servers,
    });
  }
}

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

function createToolEntry(server: string, prefix: string, tool: ServerTool): CatalogTool {
  const { title, description = '', inputSchema, outputSchema } = tool;
  const annotations = readToolHints(tool.annotations);
  return {
    name: formatExposedName(prefix, tool.name),
    kind: 'tool',
    position: -1,
    server,
    ...(title !== undefined && { title }),
    description,
    summary: formatToolSummary(description),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
    providers: [{ server, serverTool: tool.name }],
    ...(tool.changed !== undefined && { changed: tool.changed }),
    ...(tool.listed !== undefined && { listed: tool.listed }),
  };
}

function createEntries(inventory: ServerInventory, served: readonly ServerTool[]): ServerEntries {
  const server = inventory.name;
  const prefix = resolveNamePrefix(inventory);
  const named = checkExposedNames(served.map((tool) => createToolEntry(server, prefix, tool)));
  const templates = checkTemplates(
    inventory.resourceTemplates.map((template) => ({ ...template, server })),
  );
  return {
    served,
    tools: named.tools,
    warnings: [...named.warnings, ...templates.warnings],
    resources: inventory.resources.map((resource) => ({
      ...resource,
      uri: formatExposedUri(prefix, resource.uri),
      server,
      serverUri: resource.uri,
    })),
    resourceTemplates: templates.resourceTemplates,
    prompts: inventory.prompts.map((prompt) => ({
      ...prompt,
      name: formatExposedName(prefix, prompt.name),
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
function resolveServerEntries(
  inventory: ServerInventory,
  surface: FamilySurface | undefined,
  previous: ServerEntries | undefined,
): ServerEntries {
  const served =
    surface === undefined
      ? inventory.tools
      : inventory.tools.filter((tool) => !surface.grouped.has(tool.name));
  if (previous !== undefined && hasSameItems(previous.served, served)) return previous;
  return createEntries(inventory, served);
}

/** The sources of a catalog. Servers and workflows may have any order; the order of core tools is preserved. */
export interface CatalogInput {
  readonly servers: readonly ServerInventory[];
  readonly workflows: readonly WorkflowToolEntry[];
  readonly coreTools: readonly CoreToolEntry[];
  /** The holders of names that several owners claim. A claimed name without a holder is served by the first in catalog order. */
  readonly contested?: ContestedNames;
}

/** Results of a build that the next build reuses for unchanged sources. */
interface BuildRecord {
  readonly input: CatalogInput;
  readonly entries: ReadonlyMap<ServerInventory, ServerEntries>;
  readonly surfaces: ReadonlyMap<string, FamilySurface>;
  readonly workflowTools: ReadonlyMap<WorkflowToolEntry, CatalogTool>;
  readonly coreTools: ReadonlyMap<CoreToolEntry, CatalogTool>;
}

const records = new WeakMap<CatalogSnapshot, BuildRecord>();

const sortItems = <T extends { readonly name: string }>(items: readonly T[]): readonly T[] =>
  [...items].sort((a, b) => compareCodeUnits(a.name, b.name));

const isSameInput = (a: CatalogInput, b: CatalogInput): boolean =>
  a.contested === b.contested &&
  hasSameItems(a.servers, b.servers) &&
  hasSameItems(a.workflows, b.workflows) &&
  hasSameItems(a.coreTools, b.coreTools);

function placeServers(
  placement: ToolPlacement,
  entriesOf: (server: ServerInventory) => ServerEntries,
  servers: readonly ServerInventory[],
): ReadonlyMap<ServerInventory, ServerEntries> {
  const placed = new Map<ServerInventory, ServerEntries>();
  for (const server of servers) {
    const entries = entriesOf(server);
    const tools = placement.place(entries.tools);
    placed.set(server, tools === entries.tools ? entries : { ...entries, tools });
  }
  return placed;
}

function placeSurfaces(
  placement: ToolPlacement,
  surfaces: ReadonlyMap<string, FamilySurface>,
): ReadonlyMap<string, FamilySurface> {
  const placed = new Map<string, FamilySurface>();
  for (const [family, surface] of surfaces) {
    placed.set(family, { ...surface, tools: placement.place(surface.tools) });
  }
  return placed;
}

function placeEntries<E>(
  placement: ToolPlacement,
  toolOf: (entry: E) => CatalogTool,
  entries: readonly E[],
): ReadonlyMap<E, CatalogTool> {
  return new Map(entries.map((entry) => [entry, placement.placeOne(toolOf(entry))]));
}

/** The workflows' tools, with the hint that follows from everything placed before them, from each other and from the core tools. */
function placeWorkflows(
  placement: ToolPlacement,
  { workflows, coreTools }: CatalogInput,
  previous: BuildRecord | undefined,
): ReadonlyMap<WorkflowToolEntry, CatalogTool> {
  const hints = new Map(coreTools.map(({ name, annotations }) => [name as string, annotations]));
  const readOnly = readOnlyWorkflows(workflows, (name) => {
    const annotations = placement.byName.get(name)?.annotations ?? hints.get(name);
    return annotations?.readOnlyHint === true;
  });
  return placeEntries(
    placement,
    (entry) => {
      const isReadOnly = readOnly.has(entry);
      const known = previous?.workflowTools.get(entry);
      return known !== undefined && (known.annotations?.readOnlyHint === true) === isReadOnly
        ? known
        : createWorkflowTool(entry, isReadOnly);
    },
    workflows,
  );
}

/** Builds every entry that is not known from before, and places all of them in the catalog's order. */
function placeAll(
  placement: ToolPlacement,
  input: CatalogInput,
  previous: BuildRecord | undefined,
): BuildRecord {
  const surfaces = createFamilySurfaces(input.servers, previous?.surfaces);
  const entriesOf = (server: ServerInventory): ServerEntries =>
    resolveServerEntries(
      server,
      server.family && surfaces.get(server.family.name),
      previous?.entries.get(server),
    );
  return {
    input,
    entries: placeServers(placement, entriesOf, input.servers),
    surfaces: placeSurfaces(placement, surfaces),
    workflowTools: placeWorkflows(placement, input, previous),
    coreTools: placeEntries(
      placement,
      (entry) => previous?.coreTools.get(entry) ?? createCoreTool(entry),
      input.coreTools,
    ),
  };
}

function createSnapshot(
  { tools, byName: toolByName, collisions }: ToolPlacement,
  record: BuildRecord,
): CatalogSnapshot {
  const entries = [...record.entries.values()];
  const byServer = groupBy(tools, listServerNames);
  const resources = entries.flatMap((one) => one.resources);
  const resourceTemplates = entries.flatMap((one) => one.resourceTemplates);
  const prompts = placePrompts(
    entries.flatMap((one) => one.prompts),
    record.input.contested?.prompts,
  );
  return {
    tools,
    resources,
    resourceTemplates,
    prompts: [...prompts.byName.values()],
    tool: toolByName.get.bind(toolByName),
    toolsOfServer: (name) => byServer.get(name) ?? [],
    toolOfWorkflow: (name) => toolByName.get(formatWorkflowToolName(name)),
    readOnlyTools: tools.filter((tool) => tool.annotations?.readOnlyHint === true),
    coreTools: tools.filter((tool) => tool.kind === 'core'),
    serverLabels: new Map(record.input.servers.map(({ name, labels }) => [name, labels])),
    resourcesOfUri: createUriIndex(resources, ({ uri }) => uri),
    resourceTemplatesOfUri: indexTemplates(resourceTemplates),
    prompt: (name) => prompts.byName.get(name),
    warnings: [
      ...entries.flatMap((one) => one.warnings),
      ...[...record.surfaces.values()].flatMap((surface) => surface.warnings),
      ...collisions,
      ...prompts.collisions,
    ],
  };
}

/**
 * Builds the snapshot of everything that is served. Order: servers by name with their tools in the server's order, then
 * family tools by family and tool, then workflows by name, then core tools as given.
 *
 * The input is not modified; schemas and annotations are shared with it. Parts of `previous` that were built from identical
 * input objects are reused, and identical input returns `previous` itself.
 *
 * @param previous the snapshot that the new one replaces, if there is one
 * @spec §1.3, §1.4, §2.5, §2.6
 */
export function buildCatalog(input: CatalogInput, previous?: CatalogSnapshot): CatalogSnapshot {
  const ordered: CatalogInput = {
    servers: sortItems(input.servers),
    workflows: sortItems(input.workflows),
    coreTools: [...input.coreTools],
    ...(input.contested && { contested: input.contested }),
  };
  const known = previous && records.get(previous);
  if (previous !== undefined && known !== undefined && isSameInput(known.input, ordered)) {
    return previous;
  }
  const placement = new ToolPlacement(ordered.contested?.tools);
  const record = placeAll(placement, ordered, known);
  const snapshot = createSnapshot(placement, record);
  records.set(snapshot, record);
  if (previous !== undefined) inheritIndex(snapshot, previous);
  return snapshot;
}
