import type { NameConflict, NameConflicts } from '@gateway/call-contract';
import { formatExposedName } from './catalog-tool.ts';
import { type NameOwner, formatOwner, isServedName } from './catalog-warning.ts';
import { isSameJson } from './comparisons.ts';
import { type FamilySurface, createFamilySurfaces } from './family-surface.ts';
import type { ServerInventory } from './snapshot.ts';

/** Returns whether two owners are the same. */
const isSameOwner = (a: NameOwner, b: NameOwner): boolean => a.name === b.name && a.kind === b.kind;

/** Returns the holder of a name when it is another owner. */
export const findOtherHolder = (
  holder: NameOwner | undefined,
  owner: NameOwner,
): NameOwner | undefined =>
  holder === undefined || isSameOwner(holder, owner) ? undefined : holder;

/** Receives the claims of owners that can serve a name now. */
export interface ClaimSink {
  claim(name: string, owner: NameOwner): void;
}

/** Gives each name to one of the owners that claim it. */
class NameContest implements ClaimSink {
  readonly holders = new Map<string, NameOwner>();
  /** The holders of the names that several owners claim. */
  readonly contested = new Map<string, NameOwner>();
  readonly #previous: ReadonlyMap<string, NameOwner>;

  /** @param previous the holders so far */
  constructor(previous: ReadonlyMap<string, NameOwner>) {
    this.#previous = previous;
  }

  /** Gives the name to the holder so far; without one, the first claim wins. */
  claim(name: string, owner: NameOwner): void {
    const holder = this.holders.get(name);
    if (holder === undefined) this.holders.set(name, owner);
    else if (!isSameOwner(holder, owner))
      this.#decide(name, this.#heldBefore(name, owner) ? owner : holder);
  }

  /** Keeps the name for an owner that cannot serve it now, if it is the holder so far. Call it after all claims. */
  retain(name: string, owner: NameOwner): void {
    if (!this.#heldBefore(name, owner)) return;
    const holder = this.holders.get(name);
    if (holder === undefined) this.holders.set(name, owner);
    else if (!isSameOwner(holder, owner)) this.#decide(name, owner);
  }

  #heldBefore(name: string, owner: NameOwner): boolean {
    const before = this.#previous.get(name);
    return before !== undefined && isSameOwner(before, owner);
  }

  #decide(name: string, holder: NameOwner): void {
    this.holders.set(name, holder);
    this.contested.set(name, holder);
  }
}

/** The fields of an `MCPServer` that decide the exposed names of its tools. */
export type ServerNaming = Pick<ServerInventory, 'name' | 'toolPrefix' | 'family'>;

/** The exposed names of a server's tools and prompts, whether it may use them or not. */
export interface ServerNames {
  /** Equal for definitions that give the same tool the same names. */
  readonly naming: string;
  /** The server's own names of its tools, each once. */
  readonly tools: readonly string[];
  /** The exposed names of `tools` when the server serves them on its own; by index. */
  readonly own: readonly string[];
  /** The exposed names of `tools` when the family serves them; by index, empty without a family. */
  readonly shared: readonly string[];
  /** The exposed names of the prompts. */
  readonly prompts: readonly string[];
}

/** Returns the prefix of the exposed names of what a server serves on its own. @spec §1.4, §2.6 */
export const resolveNamePrefix = ({ name, toolPrefix = '' }: ServerNaming): string =>
  toolPrefix === '' ? name : toolPrefix;

/** Returns a text that differs whenever two definitions of a server give its tools different exposed names. */
const formatNaming = (server: ServerNaming): string => {
  const prefix = resolveNamePrefix(server);
  return `${prefix.length} ${prefix} ${server.family === undefined ? '' : `=${server.family.name}`}`;
};

const namesByInventory = new WeakMap<ServerInventory, ServerNames>();

/** Returns the exposed names of a connected server; the same object for the same inventory. */
function computeServerNames(inventory: ServerInventory): ServerNames {
  const known = namesByInventory.get(inventory);
  if (known !== undefined) return known;
  const { family } = inventory;
  const prefix = resolveNamePrefix(inventory);
  const isServed = (tool: string): boolean => isServedName(formatExposedName(prefix, tool));
  const tools = [...new Set(inventory.tools.map(({ name }) => name))].filter(isServed);
  const names: ServerNames = {
    naming: formatNaming(inventory),
    tools,
    own: tools.map((tool) => formatExposedName(prefix, tool)),
    shared: family === undefined ? [] : tools.map((tool) => formatExposedName(family.name, tool)),
    prompts: [...new Set(inventory.prompts.map(({ name }) => formatExposedName(prefix, name)))],
  };
  namesByInventory.set(inventory, names);
  return names;
}

/** An exposed name and the owner that may serve it. */
export interface HeldName {
  readonly name: string;
  readonly owner: NameOwner;
}

/** The names that several owners claim, each with its holder. Plain data, for other processes. */
export interface ContestedNames {
  readonly tools: readonly HeldName[];
  readonly prompts: readonly HeldName[];
}

/** The holders of all exposed names. Immutable. */
export interface NameAssignment {
  readonly tools: ReadonlyMap<string, NameOwner>;
  readonly prompts: ReadonlyMap<string, NameOwner>;
  /** The names of every server that exists and was connected, by server. */
  readonly names: ReadonlyMap<string, ServerNames>;
  /** The names that several servers have; the object stays the same while they do not change. */
  readonly contested: ContestedNames;
  /** By server. Servers without conflicts are absent. */
  readonly conflicts: ReadonlyMap<string, NameConflicts>;
}

/** The assignment before any server is known. */
const NO_NAMES: NameAssignment = {
  tools: new Map(),
  prompts: new Map(),
  names: new Map(),
  contested: { tools: [], prompts: [] },
  conflicts: new Map(),
};

const createServerOwner = (name: string): NameOwner => ({ kind: 'server', name });
const createFamilyOwner = (name: string): NameOwner => ({ kind: 'family', name });

/** Surfaces by family name, in order. */
export type FamilySurfaces = ReadonlyMap<string, FamilySurface>;

const NONE: ReadonlySet<string> = new Set();

const listFamilyTools = (
  { family }: ServerInventory,
  surfaces: FamilySurfaces,
): ReadonlySet<string> => (family && surfaces.get(family.name)?.grouped) ?? NONE;

/** Claims the names of connected servers and of their families, in the order of the catalog. */
function claimNames(
  servers: readonly ServerInventory[],
  surfaces: FamilySurfaces,
  { tools, prompts }: { readonly tools: ClaimSink; readonly prompts: ClaimSink },
): void {
  for (const server of servers) {
    const owner = createServerOwner(server.name);
    const names = computeServerNames(server);
    const grouped = listFamilyTools(server, surfaces);
    names.own.forEach((name, index) => {
      if (grouped === NONE || !grouped.has(names.tools[index] ?? '')) tools.claim(name, owner);
    });
    for (const prompt of names.prompts) prompts.claim(prompt, owner);
  }
  for (const [family, surface] of surfaces) {
    const owner = createFamilyOwner(family);
    for (const { name } of surface.tools) tools.claim(name, owner);
  }
}

/**
 * Keeps the names under which a connected member of a family served its tools before their grouping changed: a member cannot give the
 * name of its family's tool to another server by changing a description.
 */
function retainRegrouped(
  servers: readonly ServerInventory[],
  surfaces: FamilySurfaces,
  tools: NameContest,
): void {
  for (const server of servers) {
    if (server.family === undefined) continue;
    const [own, family] = [createServerOwner(server.name), createFamilyOwner(server.family.name)];
    const names = computeServerNames(server);
    const grouped = listFamilyTools(server, surfaces);
    names.shared.forEach((shared, index) => {
      if (grouped.has(names.tools[index] ?? '')) tools.retain(names.own[index] ?? '', own);
      else tools.retain(shared, family);
    });
  }
}

/** Keeps the names of a server that exists and is not connected. */
function retainAbsent(
  server: ServerNaming,
  names: ServerNames,
  { tools, prompts }: { readonly tools: NameContest; readonly prompts: NameContest },
): void {
  const owner = createServerOwner(server.name);
  for (const own of names.own) tools.retain(own, owner);
  for (const prompt of names.prompts) prompts.retain(prompt, owner);
  if (server.family === undefined) return;
  const family = createFamilyOwner(server.family.name);
  for (const shared of names.shared) tools.retain(shared, family);
}

/** Maximum number of conflicts of a server that are listed. */
const MAX_LISTED_CONFLICTS = 20;

interface OpenConflicts {
  total: number;
  readonly first: NameConflict[];
}

function addConflict(
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
function nameConflicts(
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
      const holder = findOtherHolder(contested.get(name), owner);
      if (holder === undefined) return;
      for (const server of serversOf(name, owner))
        addConflict(byServer, server, { kind, name, heldBy: formatOwner(holder) });
    },
  });
  claimNames(servers, surfaces, {
    tools: sinkOf('tool', contests.tools),
    prompts: sinkOf('prompt', contests.prompts),
  });
  return byServer;
}

/** The servers whose tools and prompts need exposed names. */
export interface NameSources {
  /** The connected servers, sorted by name. */
  readonly servers: readonly ServerInventory[];
  /** All servers that exist, connected or not, sorted by name. */
  readonly defined: readonly ServerNaming[];
}

/** Returns the names of every server that exists; those of one that is not connected are the last known ones. */
function computeNames(
  { servers, defined }: NameSources,
  previous: NameAssignment,
): ReadonlyMap<string, ServerNames> {
  const names = new Map<string, ServerNames>();
  for (const server of defined) {
    const known = previous.names.get(server.name);
    if (known?.naming === formatNaming(server)) names.set(server.name, known);
  }
  for (const server of servers) names.set(server.name, computeServerNames(server));
  return names;
}

const listNameOwners = ({ contested }: NameContest): readonly HeldName[] =>
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
  const names = computeNames(sources, previous);
  const surfaces = createFamilySurfaces(servers, undefined);
  const [tools, prompts] = [new NameContest(previous.tools), new NameContest(previous.prompts)];
  claimNames(servers, surfaces, { tools, prompts });
  retainRegrouped(servers, surfaces, tools);
  const connected = new Set(servers.map(({ name }) => name));
  for (const server of defined) {
    const known = connected.has(server.name) ? undefined : names.get(server.name);
    if (known !== undefined) retainAbsent(server, known, { tools, prompts });
  }
  const contested: ContestedNames = {
    tools: listNameOwners(tools),
    prompts: listNameOwners(prompts),
  };
  return {
    tools: tools.holders,
    prompts: prompts.holders,
    names,
    contested: isSameJson(previous.contested, contested) ? previous.contested : contested,
    conflicts: nameConflicts(servers, surfaces, { tools, prompts }),
  };
}
