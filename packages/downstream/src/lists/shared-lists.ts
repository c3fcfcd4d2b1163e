import type { ServerInventory, ServerTool } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { applyToolRules } from '../wire/tool-rules.ts';
import { runSlices } from './read-list.ts';
import { LIST_NAMES, type ServerLists } from './server-lists.ts';
import type { DeclaredTools } from './trust/declared-tools.ts';
import { digestTool } from './trust/server-ledger.ts';

type ListName = keyof ServerLists;

type AnyList = ServerLists[ListName];

type Entry = AnyList[number];

/** The parsed entry is derived from the listed entry, so only the listed entry is compared. */
const isEqual = (a: Entry, b: Entry): boolean =>
  a.listed !== undefined && b.listed !== undefined
    ? isDeepStrictEqual(a.listed, b.listed)
    : isDeepStrictEqual(a, b);

const identify = (entry: Entry): string => {
  if ('uriTemplate' in entry) return entry.uriTemplate;
  return 'uri' in entry ? entry.uri : entry.name;
};

const mergeList = async (before: AnyList, after: AnyList): Promise<readonly Entry[]> => {
  const known = new Map(before.map((entry) => [identify(entry), entry]));
  const merged: Entry[] = [];
  await runSlices<Entry>(after, (entry, index) => {
    // The position is tried first, because a server may list several entries with one name.
    const there = before[index];
    const key = identify(entry);
    const one = there !== undefined && identify(there) === key ? there : known.get(key);
    merged.push(one !== undefined && isEqual(one, entry) ? one : entry);
  });
  const isSame = merged.length === before.length && merged.every((one, at) => one === before[at]);
  return isSame ? before : merged;
};

/** Returns the new lists with the arrays and entries of `before` wherever they are equal, so that equality means identity. Works in slices. */
export const mergeLists = async (before: ServerLists, after: ServerLists): Promise<ServerLists> => {
  const merged: Partial<Record<ListName, readonly Entry[]>> = {};
  for (const name of LIST_NAMES) merged[name] = await mergeList(before[name], after[name]);
  const isUnchanged = LIST_NAMES.every((name) => merged[name] === before[name]);
  // Each list has the entries of its own kind.
  return isUnchanged ? before : (merged as ServerLists);
};

/** Computes the digests of a list in slices, so that later reads of them are fast. */
export const computeDigests = (tools: readonly ServerTool[]): Promise<void> =>
  runSlices(tools, digestTool);

const toInventory = (
  server: McpServer,
  lists: ServerLists,
  previous: ServerInventory | undefined,
): ServerInventory => {
  const { spec, metadata } = server;
  const { tools, resources, resourceTemplates, prompts } = lists;
  const next: ServerInventory = {
    name: metadata.name,
    labels: metadata.labels,
    ...(spec.toolPrefix === undefined ? {} : { toolPrefix: spec.toolPrefix }),
    ...(spec.family === undefined
      ? {}
      : { family: { name: spec.family.name, instanceArg: spec.family.instanceArg } }),
    tools,
    resources,
    resourceTemplates,
    prompts,
  };
  return previous !== undefined && isDeepStrictEqual(previous, next) ? previous : next;
};

interface KnownInventory {
  readonly definition: McpServer;
  readonly inventory: ServerInventory;
  readonly version: number;
}

/** The inventories of servers: without hints that are not accepted yet, then with the changes of `spec.tools`. Equal lists have the same inventory. */
export class KnownInventories {
  readonly #declared: DeclaredTools;
  readonly #known = new WeakMap<ServerLists, KnownInventory>();
  #version = 0;

  constructor(declared: DeclaredTools) {
    this.#declared = declared;
  }

  refresh(): void {
    this.#version += 1;
  }

  /** Returns the inventory of a server with these lists; the same object while it is unchanged. */
  find(definition: McpServer, lists: ServerLists): ServerInventory {
    const known = this.#known.get(lists);
    const version = this.#version;
    if (known?.definition === definition && known.version === version) return known.inventory;
    const accepted = this.#declared.applyAccepted(definition.metadata.name, lists.tools);
    const tools = applyToolRules(definition, accepted);
    const inventory = toInventory(definition, { ...lists, tools }, known?.inventory);
    this.#known.set(lists, { definition, inventory, version });
    return inventory;
  }
}

const SWEEP_EVERY = 256;

const computeDigest = async (list: readonly unknown[]): Promise<string> => {
  const hash = createHash('sha256');
  await runSlices(list, (entry) => {
    // The length separates the entries.
    const text = JSON.stringify(entry);
    hash.update(`${text.length}:${text}`);
  });
  return hash.digest('base64url');
};

class Interned<T extends object> {
  readonly #known = new Map<string, WeakRef<T>>();
  #added = 0;

  intern(key: string, value: T): T {
    const known = this.#known.get(key)?.deref();
    if (known !== undefined) return known;
    this.#known.set(key, new WeakRef(value));
    this.#added += 1;
    if (this.#added % SWEEP_EVERY === 0) this.#sweep();
    return value;
  }

  #sweep(): void {
    for (const [key, ref] of this.#known) if (ref.deref() === undefined) this.#known.delete(key);
  }
}

/** The lists of the servers as users see them. Equal lists of one server are one object, however many users see them. */
export class SharedLists {
  readonly #declared: DeclaredTools;
  readonly #lists = new Interned<AnyList>();
  readonly #whole = new Interned<ServerLists>();
  readonly #reviewed = new WeakSet<ServerLists>();

  constructor(declared: DeclaredTools) {
    this.#declared = declared;
  }

  async share({ metadata }: McpServer, lists: ServerLists): Promise<ServerLists> {
    await this.#declared.ready;
    const shared = await this.#intern(metadata.name, lists);
    if (this.#reviewed.has(shared)) return shared;
    await computeDigests(shared.tools);
    // Each variant of a list is compared once, not once per user.
    if (!this.#reviewed.has(shared)) this.#declared.review(metadata, shared.tools);
    this.#reviewed.add(shared);
    return shared;
  }

  async #intern(server: string, lists: ServerLists): Promise<ServerLists> {
    const digests: string[] = [];
    const shared: Partial<Record<ListName, AnyList>> = {};
    for (const name of LIST_NAMES) {
      const digest = await computeDigest(lists[name]);
      digests.push(digest);
      shared[name] = this.#lists.intern(JSON.stringify([server, name, digest]), lists[name]);
    }
    // Each list has the entries of its own kind.
    return this.#whole.intern(JSON.stringify([server, ...digests]), shared as ServerLists);
  }
}
