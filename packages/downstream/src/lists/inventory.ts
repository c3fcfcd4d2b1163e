import type { ServerInventory } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import type { ServerLists } from './server-lists.ts';

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
