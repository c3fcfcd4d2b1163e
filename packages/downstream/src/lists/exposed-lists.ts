import { isDeepStrictEqual } from 'node:util';
import type { ServerTool, ServerInventory } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import { inSlices } from './read-list.ts';
import type { ServerLists } from './server-lists.ts';
import { digestTool } from './trust/server-ledger.ts';
import type { DeclaredTools } from './trust/declared-tools.ts';

interface Entry {
  readonly listed?: unknown;
}

/** The parsed entry is derived from the listed entry, so only the listed entry is compared. */
const isEqual = (a: Entry, b: Entry): boolean =>
  a.listed !== undefined && b.listed !== undefined
    ? isDeepStrictEqual(a.listed, b.listed)
    : isDeepStrictEqual(a, b);

/** Returns the entries of `after`, with equal entries of `before` in their places; `before` itself when all are equal. */
const mergeList = async <T extends Entry>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (entry: T) => string,
): Promise<readonly T[]> => {
  const known = new Map(before.map((entry) => [keyOf(entry), entry]));
  const merged: T[] = [];
  await inSlices(after, (entry, index) => {
    // The position is tried first, because a server may list several entries with one name.
    const there = before[index];
    const key = keyOf(entry);
    const one = there !== undefined && keyOf(there) === key ? there : known.get(key);
    merged.push(one !== undefined && isEqual(one, entry) ? one : entry);
  });
  return sameItems(merged, before) ? before : merged;
};

/** Returns whether both lists contain the same objects. */
export const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/**
 * Returns the newly read lists with the arrays and entries of `before` wherever they are equal, so that equality means identity. Works in
 * slices.
 */
const mergeLists = async (before: ServerLists, after: ServerLists): Promise<ServerLists> => {
  const merged: ServerLists = {
    tools: await mergeList(before.tools, after.tools, ({ name }) => name),
    resources: await mergeList(before.resources, after.resources, ({ uri }) => uri),
    resourceTemplates: await mergeList(
      before.resourceTemplates,
      after.resourceTemplates,
      ({ uriTemplate }) => uriTemplate,
    ),
    prompts: await mergeList(before.prompts, after.prompts, ({ name }) => name),
  };
  const isSame =
    merged.tools === before.tools &&
    merged.resources === before.resources &&
    merged.resourceTemplates === before.resourceTemplates &&
    merged.prompts === before.prompts;
  return isSame ? before : merged;
};

/** Computes the digests of a list in slices, so that later reads of them are fast. */
export const computeDigests = (tools: readonly ServerTool[]): Promise<void> =>
  inSlices(tools, digestTool);

type Tools = ServerLists['tools'];

/** The lists of a connected server, and the part of them that the catalog receives: hints that are not accepted yet are excluded. */
export class ExposedLists {
  readonly #server: Pick<McpServer['metadata'], 'name' | 'namespace'>;
  readonly #declared: DeclaredTools;
  #listed: ServerLists;
  #exposed: ServerLists;

  /** @param lists the lists of the server; digest their tools first, because the review of undigested tools blocks the event loop */
  constructor(server: McpServer['metadata'], declared: DeclaredTools, lists: ServerLists) {
    this.#server = server;
    this.#declared = declared;
    this.#listed = lists;
    this.#exposed = lists;
    this.#expose(declared.review(server, lists.tools));
  }

  /** The exposed lists. The same arrays and entries while they are unchanged. */
  get lists(): ServerLists {
    return this.#exposed;
  }

  /**
   * Replaces the lists that were read again. Works in slices.
   *
   * @param isLive returns whether the connection of these lists still exists; if not, nothing is replaced
   * @returns whether the lists changed
   */
  async update(lists: Partial<ServerLists>, isLive: () => boolean): Promise<boolean> {
    const merged = await mergeLists(this.#listed, { ...this.#listed, ...lists });
    if (merged === this.#listed) return false;
    await computeDigests(merged.tools);
    if (!isLive()) return false;
    this.#listed = merged;
    this.#expose(this.#declared.review(this.#server, merged.tools));
    return true;
  }

  /** Applies newly accepted hints. */
  refresh(): void {
    this.#expose(this.#declared.asAccepted(this.#server.name, this.#listed.tools));
  }

  #expose(tools: Tools): void {
    this.#exposed = { ...this.#listed, tools };
  }
}

/** Returns the inventory of a server; `previous` itself when it is unchanged. */
export const inventoryOf = (
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
    ...{ tools, resources, resourceTemplates, prompts },
  };
  return previous !== undefined && isDeepStrictEqual(previous, next) ? previous : next;
};

/** The inventory of a server, connected or not, until the server is defined differently. */
export class InventoryRecord {
  #inventory: ServerInventory | undefined;

  /** `undefined` until lists were read; the same object while it is unchanged. */
  get inventory(): ServerInventory | undefined {
    return this.#inventory;
  }

  /**
   * Follows the definition and the lists.
   *
   * @param lists `undefined` while the server is not connected: the last lists stay
   */
  update(server: McpServer, lists: ServerLists | undefined): void {
    const last = lists ?? this.#inventory;
    if (last !== undefined) this.#inventory = inventoryOf(server, last, this.#inventory);
  }

  /** Forgets the lists. */
  forget(): void {
    this.#inventory = undefined;
  }
}
