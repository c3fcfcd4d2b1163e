import { byName } from './by-name.ts';
import type { CatalogTool } from './catalog-tool.ts';
import type { CatalogWarning } from './catalog-warning.ts';
import { checkedNames } from './checked-names.ts';
import { familyTool, type Contributor } from './family-tool.ts';
import { groupBy } from './group-by.ts';
import { sameItems } from './same-items.ts';
import type { ServerInventory } from './server-inventory.ts';

/** The shared tools of a family and the tools that each member serves on its own. @spec §2.6 */
export interface FamilySurface {
  readonly members: readonly FamilyMember[];
  /** The family's own tools by tool name, before they have a place in the catalog. */
  readonly tools: readonly CatalogTool[];
  /** The members' tool names that `tools` covers. */
  readonly grouped: ReadonlySet<string>;
  readonly warnings: readonly CatalogWarning[];
}

/** A server that belongs to a family. */
export type FamilyMember = ServerInventory & {
  readonly family: NonNullable<ServerInventory['family']>;
};

/** The members' tools by name, each with its contributors in the members' order; a name listed twice counts once. */
function contributorsByTool(
  members: readonly FamilyMember[],
): ReadonlyMap<string, readonly Contributor[]> {
  const byTool = new Map<string, Contributor[]>();
  for (const member of members) {
    for (const tool of member.tools) {
      const contributors = byTool.get(tool.name);
      if (contributors === undefined) byTool.set(tool.name, [{ server: member.name, tool }]);
      else if (contributors.at(-1)?.server !== member.name) {
        contributors.push({ server: member.name, tool });
      }
    }
  }
  return byTool;
}

function divergentSurface(
  family: string,
  members: readonly FamilyMember[],
  instanceArgs: readonly string[],
): FamilySurface {
  const servers = members.map(({ name }) => name);
  return {
    members,
    tools: [],
    grouped: new Set(),
    warnings: [{ code: 'family.instance-arg-divergence', family, instanceArgs, servers }],
  };
}

/**
 * Builds the surface of one family. Members that disagree on `instanceArg` share nothing, even when no tool is common.
 *
 * @param members every connected member, sorted by name, at least one
 * @spec §2.6
 */
function familySurface(family: string, members: readonly FamilyMember[]): FamilySurface {
  const instanceArgs = [...new Set(members.map((member) => member.family.instanceArg))].sort(
    byName,
  );
  const [instanceArg, ...others] = instanceArgs;
  if (instanceArg === undefined || others.length > 0) {
    return divergentSurface(family, members, instanceArgs);
  }
  const tools: CatalogTool[] = [];
  const grouped = new Set<string>();
  const warnings: CatalogWarning[] = [];
  const byTool = contributorsByTool(members);
  for (const tool of [...byTool.keys()].sort(byName)) {
    const contributors = byTool.get(tool) ?? [];
    const outcome = familyTool({ family, instanceArg, tool, contributors });
    if (outcome.ok) {
      tools.push(outcome.tool);
      grouped.add(tool);
    } else warnings.push(outcome.warning);
  }
  const named = checkedNames(tools);
  return {
    members,
    tools: named.tools,
    grouped,
    warnings: [...warnings, ...named.warnings],
  };
}

/** The last surface of each family, by its first member: one process builds it for the names and for the catalog. */
const lastSurfaces = new WeakMap<FamilyMember, FamilySurface>();

function knownSurface(
  family: string,
  members: readonly FamilyMember[],
  previous: FamilySurface | undefined,
): FamilySurface {
  if (previous !== undefined && sameItems(previous.members, members)) return previous;
  const [first] = members;
  const last = first && lastSurfaces.get(first);
  if (last !== undefined && sameItems(last.members, members)) return last;
  const surface = familySurface(family, members);
  if (first !== undefined) lastSurfaces.set(first, surface);
  return surface;
}

const isMember = (server: ServerInventory): server is FamilyMember => server.family !== undefined;

/**
 * Returns the surface of every family, sorted by family name. A surface whose members are identical objects is reused.
 *
 * @param servers sorted by name
 * @param previous the surfaces of the previous build, by family name
 */
export function familySurfaces(
  servers: readonly ServerInventory[],
  previous: ReadonlyMap<string, FamilySurface> | undefined,
): ReadonlyMap<string, FamilySurface> {
  const membersOf = groupBy(servers.filter(isMember), ({ family }) => [family.name]);
  const surfaces = new Map<string, FamilySurface>();
  for (const family of [...membersOf.keys()].sort(byName)) {
    const members = membersOf.get(family) ?? [];
    surfaces.set(family, knownSurface(family, members, previous?.get(family)));
  }
  return surfaces;
}
