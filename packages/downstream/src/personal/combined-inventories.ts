import type { ServerInventory } from '@gateway/catalog';

type Inventories = readonly ServerInventory[];

/** Maximum number of combinations that are kept. */
const MAX_COMBINATIONS = 1_024;

/** The inventories of persons together with the shared ones. Persons who see the same inventories have the same array. */
export class CombinedInventories {
  readonly #ids = new WeakMap<ServerInventory, number>();
  /** By the identities of the inventories, least recently used first. */
  readonly #combined = new Map<string, Inventories>();
  #last = 0;

  /** Returns all inventories, sorted by name. That of a person replaces the shared one of the same server. */
  of(shared: Inventories, personal: Inventories): Inventories {
    const own = new Set(personal.map(({ name }) => name));
    const all = [...shared.filter(({ name }) => !own.has(name)), ...personal];
    all.sort((a, b) => (a.name < b.name ? -1 : 1));
    const key = all.map((one) => this.#idOf(one)).join();
    const known = this.#combined.get(key) ?? all;
    this.#combined.delete(key);
    this.#combined.set(key, known);
    const [oldest] = this.#combined.keys();
    if (this.#combined.size > MAX_COMBINATIONS && oldest !== undefined)
      this.#combined.delete(oldest);
    return known;
  }

  #idOf(inventory: ServerInventory): number {
    const known = this.#ids.get(inventory);
    if (known !== undefined) return known;
    this.#last += 1;
    this.#ids.set(inventory, this.#last);
    return this.#last;
  }
}
