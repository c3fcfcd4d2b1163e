import type { NameOwner } from './catalog-warning.ts';
import type { FamilySurface } from './family-surface.ts';
import type { ClaimSink, NameContest } from './name-contest.ts';
import { serverNames, type ServerNames, type ServerNaming } from './server-names.ts';
import type { ServerInventory } from './server-inventory.ts';

const serverOwner = (name: string): NameOwner => ({ kind: 'server', name });
const familyOwner = (name: string): NameOwner => ({ kind: 'family', name });

/** Surfaces by family name, in order. */
export type FamilySurfaces = ReadonlyMap<string, FamilySurface>;

const NONE: ReadonlySet<string> = new Set();

/** Returns the tools of a server that its family serves. */
const groupedOf = ({ family }: ServerInventory, surfaces: FamilySurfaces): ReadonlySet<string> =>
  (family && surfaces.get(family.name)?.grouped) ?? NONE;

/** Claims the names of connected servers and of their families, in the order of the catalog. */
export function claimNames(
  servers: readonly ServerInventory[],
  surfaces: FamilySurfaces,
  { tools, prompts }: { readonly tools: ClaimSink; readonly prompts: ClaimSink },
): void {
  for (const server of servers) {
    const owner = serverOwner(server.name);
    const names = serverNames(server);
    const grouped = groupedOf(server, surfaces);
    names.own.forEach((name, index) => {
      if (grouped === NONE || !grouped.has(names.tools[index] ?? '')) tools.claim(name, owner);
    });
    for (const prompt of names.prompts) prompts.claim(prompt, owner);
  }
  for (const [family, surface] of surfaces) {
    const owner = familyOwner(family);
    for (const { name } of surface.tools) tools.claim(name, owner);
  }
}

/**
 * Keeps the names under which a connected member of a family served its tools before their grouping changed: a member cannot give the
 * name of its family's tool to another server by changing a description.
 */
export function retainRegrouped(
  servers: readonly ServerInventory[],
  surfaces: FamilySurfaces,
  tools: NameContest,
): void {
  for (const server of servers) {
    if (server.family === undefined) continue;
    const [own, family] = [serverOwner(server.name), familyOwner(server.family.name)];
    const names = serverNames(server);
    const grouped = groupedOf(server, surfaces);
    names.shared.forEach((shared, index) => {
      if (grouped.has(names.tools[index] ?? '')) tools.retain(names.own[index] ?? '', own);
      else tools.retain(shared, family);
    });
  }
}

/** Keeps the names of a server that exists and is not connected. */
export function retainAbsent(
  server: ServerNaming,
  names: ServerNames,
  { tools, prompts }: { readonly tools: NameContest; readonly prompts: NameContest },
): void {
  const owner = serverOwner(server.name);
  for (const own of names.own) tools.retain(own, owner);
  for (const prompt of names.prompts) prompts.retain(prompt, owner);
  if (server.family === undefined) return;
  const family = familyOwner(server.family.name);
  for (const shared of names.shared) tools.retain(shared, family);
}
