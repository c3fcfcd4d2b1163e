import { ownerText, type NameOwner } from './catalog-warning.ts';
import type { NameConflict, NameConflicts } from './name-assignment.ts';
import { claimNames, type FamilySurfaces } from './name-claims.ts';
import { otherHolder, type ClaimSink, type NameContest } from './name-contest.ts';
import type { ServerInventory } from './server-inventory.ts';

/** Maximum number of conflicts of a server that are listed. */
const MAX_LISTED_CONFLICTS = 20;

interface OpenConflicts {
  total: number;
  readonly first: NameConflict[];
}

function record(
  byServer: Map<string, OpenConflicts>,
  server: string,
  conflict: NameConflict,
): void {
  const known = byServer.get(server) ?? { total: 0, first: [] };
  known.total += 1;
  if (known.first.length < MAX_LISTED_CONFLICTS) known.first.push(conflict);
  byServer.set(server, known);
}

/** Returns the conflicts of every connected server whose tools or prompts have names that another owner holds. */
export function nameConflicts(
  servers: readonly ServerInventory[],
  surfaces: FamilySurfaces,
  contests: { readonly tools: NameContest; readonly prompts: NameContest },
): ReadonlyMap<string, NameConflicts> {
  const byServer = new Map<string, OpenConflicts>();
  if (contests.tools.contested.size + contests.prompts.contested.size === 0) return byServer;
  const serversOf = (name: string, owner: NameOwner): readonly string[] => {
    if (owner.kind === 'server') return [owner.name];
    const tool = surfaces.get(owner.name)?.tools.find((one) => one.name === name);
    return tool?.providers.map(({ server }) => server) ?? [];
  };
  const sinkOf = (kind: NameConflict['kind'], { contested }: NameContest): ClaimSink => ({
    claim(name, owner) {
      const holder = otherHolder(contested.get(name), owner);
      if (holder === undefined) return;
      for (const server of serversOf(name, owner))
        record(byServer, server, { kind, name, heldBy: ownerText(holder) });
    },
  });
  claimNames(servers, surfaces, {
    tools: sinkOf('tool', contests.tools),
    prompts: sinkOf('prompt', contests.prompts),
  });
  return byServer;
}
