import type { ServerInventory } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import { computeDigests, sameItems } from '../lists/exposed-lists.ts';
import { inventoryOf } from '../lists/inventory.ts';
import type { ServerLists } from '../lists/server-lists.ts';
import type { DeclaredTools } from '../lists/trust/declared-tools.ts';
import { SharedLists } from './shared-lists.ts';

interface Known {
  readonly definition: McpServer;
  readonly inventory: ServerInventory;
}

/** The inventories of the servers as persons see them. Persons who see the same lists have the same object. */
export class PersonalInventories {
  readonly #declared: DeclaredTools;
  readonly #shared = new SharedLists();
  /** The lists whose declarations were compared with the remembered ones. */
  readonly #reviewed = new WeakSet<ServerLists>();
  #known = new WeakMap<ServerLists, Known>();

  constructor(declared: DeclaredTools) {
    this.#declared = declared;
  }

  /** Returns the lists of a new connection as an object that all persons with equal lists share. */
  async take({ metadata }: McpServer, lists: ServerLists): Promise<ServerLists> {
    await this.#declared.ready;
    const shared = await this.#shared.of(metadata.name, lists);
    if (this.#reviewed.has(shared)) return shared;
    await computeDigests(shared.tools);
    // Each variant of a list is compared once, not once per person.
    if (!this.#reviewed.has(shared)) this.#declared.review(metadata, shared.tools);
    this.#reviewed.add(shared);
    return shared;
  }

  /** Returns the inventory of lists that `take` returned; hints that are not accepted yet are excluded. */
  of(definition: McpServer, lists: ServerLists): ServerInventory {
    const known = this.#known.get(lists);
    if (known?.definition === definition) return known.inventory;
    const accepted = this.#declared.asAccepted(definition.metadata.name, lists.tools);
    const tools = sameItems(accepted, lists.tools) ? lists.tools : accepted;
    const inventory = inventoryOf(definition, { ...lists, tools }, known?.inventory);
    this.#known.set(lists, { definition, inventory });
    return inventory;
  }

  /** Exposes newly accepted hints. */
  refresh(): void {
    this.#known = new WeakMap();
  }
}
