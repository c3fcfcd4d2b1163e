import { builtSnapshot } from './built-snapshot.ts';
import { byName } from './by-name.ts';
import type { CatalogTool, CoreToolEntry, WorkflowToolEntry } from './catalog-tool.ts';
import { familySurfaces, type FamilySurface } from './family-surface.ts';
import { coreTool, workflowTool } from './own-tools.ts';
import { placedPrompts } from './placed-prompts.ts';
import type { ContestedNames } from './name-assignment.ts';
import { readOnlyWorkflows } from './read-only-workflows.ts';
import { sameItems } from './same-items.ts';
import { serverEntries, type ServerEntries } from './server-entries.ts';
import type { ServerInventory } from './server-inventory.ts';
import type { CatalogSnapshot } from './snapshot.ts';
import { inheritIndex } from './search-index.ts';
import { ToolPlacement } from './tool-placement.ts';

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

const sorted = <T extends { readonly name: string }>(items: readonly T[]): readonly T[] =>
  [...items].sort((a, b) => byName(a.name, b.name));

const sameInput = (a: CatalogInput, b: CatalogInput): boolean =>
  a.contested === b.contested &&
  sameItems(a.servers, b.servers) &&
  sameItems(a.workflows, b.workflows) &&
  sameItems(a.coreTools, b.coreTools);

function placedServers(
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

function placedSurfaces(
  placement: ToolPlacement,
  surfaces: ReadonlyMap<string, FamilySurface>,
): ReadonlyMap<string, FamilySurface> {
  const placed = new Map<string, FamilySurface>();
  for (const [family, surface] of surfaces) {
    placed.set(family, { ...surface, tools: placement.place(surface.tools) });
  }
  return placed;
}

function placedOwn<E>(
  placement: ToolPlacement,
  toolOf: (entry: E) => CatalogTool,
  entries: readonly E[],
): ReadonlyMap<E, CatalogTool> {
  return new Map(entries.map((entry) => [entry, placement.placeOne(toolOf(entry))]));
}

/** The workflows' tools, with the hint that follows from everything placed before them, from each other and from the core tools. */
function placedWorkflows(
  placement: ToolPlacement,
  { workflows, coreTools }: CatalogInput,
  previous: BuildRecord | undefined,
): ReadonlyMap<WorkflowToolEntry, CatalogTool> {
  const hints = new Map(coreTools.map(({ name, annotations }) => [name as string, annotations]));
  const readOnly = readOnlyWorkflows(workflows, (name) => {
    const annotations = placement.byName.get(name)?.annotations ?? hints.get(name);
    return annotations?.readOnlyHint === true;
  });
  return placedOwn(
    placement,
    (entry) => {
      const isReadOnly = readOnly.has(entry);
      const known = previous?.workflowTools.get(entry);
      return known !== undefined && (known.annotations?.readOnlyHint === true) === isReadOnly
        ? known
        : workflowTool(entry, isReadOnly);
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
  const surfaces = familySurfaces(input.servers, previous?.surfaces);
  const entriesOf = (server: ServerInventory): ServerEntries =>
    serverEntries(
      server,
      server.family && surfaces.get(server.family.name),
      previous?.entries.get(server),
    );
  return {
    input,
    entries: placedServers(placement, entriesOf, input.servers),
    surfaces: placedSurfaces(placement, surfaces),
    workflowTools: placedWorkflows(placement, input, previous),
    coreTools: placedOwn(
      placement,
      (entry) => previous?.coreTools.get(entry) ?? coreTool(entry),
      input.coreTools,
    ),
  };
}

function snapshotOf(placement: ToolPlacement, record: BuildRecord): CatalogSnapshot {
  const entries = [...record.entries.values()];
  const prompts = placedPrompts(
    entries.flatMap((one) => one.prompts),
    record.input.contested?.prompts,
  );
  return builtSnapshot({
    tools: placement.tools,
    toolByName: placement.byName,
    resources: entries.flatMap((one) => one.resources),
    resourceTemplates: entries.flatMap((one) => one.resourceTemplates),
    promptByName: prompts.byName,
    serverLabels: new Map(record.input.servers.map(({ name, labels }) => [name, labels])),
    warnings: [
      ...entries.flatMap((one) => one.warnings),
      ...[...record.surfaces.values()].flatMap((surface) => surface.warnings),
      ...placement.collisions,
      ...prompts.collisions,
    ],
  });
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
    servers: sorted(input.servers),
    workflows: sorted(input.workflows),
    coreTools: [...input.coreTools],
    ...(input.contested && { contested: input.contested }),
  };
  const known = previous && records.get(previous);
  if (previous !== undefined && known !== undefined && sameInput(known.input, ordered)) {
    return previous;
  }
  const placement = new ToolPlacement(ordered.contested?.tools);
  const record = placeAll(placement, ordered, known);
  const snapshot = snapshotOf(placement, record);
  records.set(snapshot, record);
  if (previous !== undefined) inheritIndex(snapshot, previous);
  return snapshot;
}
