import { familySurfaces } from './family-surface.ts';
import {
  NO_NAMES,
  type ContestedNames,
  type HeldName,
  type NameAssignment,
} from './name-assignment.ts';
import { claimNames, retainAbsent, retainRegrouped } from './name-claims.ts';
import { nameConflicts } from './name-conflicts.ts';
import { NameContest } from './name-contest.ts';
import { sameJson } from './same-json.ts';
import type { ServerInventory } from './server-inventory.ts';
import { namingOf, serverNames, type ServerNames, type ServerNaming } from './server-names.ts';

/** The servers whose tools and prompts need exposed names. */
export interface NameSources {
  /** The connected servers, sorted by name. */
  readonly servers: readonly ServerInventory[];
  /** All servers that exist, connected or not, sorted by name. */
  readonly defined: readonly ServerNaming[];
}

/** Returns the names of every server that exists; those of one that is not connected are the last known ones. */
function namesOf(
  { servers, defined }: NameSources,
  previous: NameAssignment,
): ReadonlyMap<string, ServerNames> {
  const names = new Map<string, ServerNames>();
  for (const server of defined) {
    const known = previous.names.get(server.name);
    if (known?.naming === namingOf(server)) names.set(server.name, known);
  }
  for (const server of servers) names.set(server.name, serverNames(server));
  return names;
}

const heldNames = ({ contested }: NameContest): readonly HeldName[] =>
  [...contested].map(([name, owner]) => ({ name, owner }));

/**
 * Gives each exposed name of a tool or prompt to one owner. The holder of a name keeps it while its server exists and lists the tool,
 * connected or not; without a holder, the first in catalog order gets it.
 *
 * @param previous the assignment so far; the names are given in catalog order when it is absent
 * @spec §1.4
 */
export function assignNames(
  sources: NameSources,
  previous: NameAssignment = NO_NAMES,
): NameAssignment {
  const { servers, defined } = sources;
  const names = namesOf(sources, previous);
  const surfaces = familySurfaces(servers, undefined);
  const [tools, prompts] = [new NameContest(previous.tools), new NameContest(previous.prompts)];
  claimNames(servers, surfaces, { tools, prompts });
  retainRegrouped(servers, surfaces, tools);
  const connected = new Set(servers.map(({ name }) => name));
  for (const server of defined) {
    const known = connected.has(server.name) ? undefined : names.get(server.name);
    if (known !== undefined) retainAbsent(server, known, { tools, prompts });
  }
  const contested: ContestedNames = { tools: heldNames(tools), prompts: heldNames(prompts) };
  return {
    tools: tools.holders,
    prompts: prompts.holders,
    names,
    contested: sameJson(previous.contested, contested) ? previous.contested : contested,
    conflicts: nameConflicts(servers, surfaces, { tools, prompts }),
  };
}
