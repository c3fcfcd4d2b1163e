import {
  buildCatalog,
  type CatalogSnapshot,
  type ContestedNames,
  type CoreToolEntry,
  type ServerInventory,
  type WorkflowToolEntry,
} from '@gateway/catalog';
import { LRUCache } from 'lru-cache';

type Inventories = readonly ServerInventory[];

/** The content of all catalogs but the servers. */
export interface PersonalSources {
  /** Returns the holders of the names that several servers of these inventories claim. */
  readonly contestedNamesIn: (inventories: Inventories) => ContestedNames;
  readonly workflows: () => readonly WorkflowToolEntry[];
  readonly coreTools: readonly CoreToolEntry[];
}

interface Built {
  /** The snapshot of all persons when this one was built. */
  readonly shared: CatalogSnapshot;
  readonly snapshot: CatalogSnapshot;
}

/** Maximum number of snapshots that are kept. Principals who see the same lists share one. */
const MAX_SNAPSHOTS = 256;

/** The catalogs of principals who see more than everybody sees. */
export class PersonalCatalogs {
  readonly #sources: PersonalSources;
  /** By the identity of the inventories. */
  readonly #built = new LRUCache<Inventories, Built>({ max: MAX_SNAPSHOTS });

  constructor(sources: PersonalSources) {
    this.#sources = sources;
  }

  /**
   * Returns the catalog of these inventories.
   *
   * @param shared the catalog of what everybody sees
   */
  of(inventories: Inventories, shared: CatalogSnapshot): CatalogSnapshot {
    const known = this.#built.get(inventories);
    const snapshot =
      known?.shared === shared
        ? known.snapshot
        : this.#build(inventories, known?.snapshot ?? shared);
    this.#built.set(inventories, { shared, snapshot });
    return snapshot;
  }

  #build(inventories: Inventories, previous: CatalogSnapshot): CatalogSnapshot {
    const { contestedNamesIn, workflows, coreTools } = this.#sources;
    const contested = contestedNamesIn(inventories);
    const input = { servers: inventories, contested, workflows: workflows(), coreTools };
    return buildCatalog(input, previous);
  }
}
