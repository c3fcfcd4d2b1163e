import type { Principal } from '@gateway/call-contract';
import {
  buildCatalog,
  type CatalogSnapshot,
  type CatalogWarning,
  formatWarning,
  type ContestedNames,
  type CoreToolEntry,
  prepareSearch,
  type ServerInventory,
  createWarningFilter,
  type WorkflowToolEntry,
} from '@gateway/catalog';
import { LRUCache } from 'lru-cache';

type Inventories = readonly ServerInventory[];

/** The content of all catalogs but the servers. */
interface UserCatalogSources {
  /** Returns the holders of the names that several servers of these inventories claim. */
  readonly contestedNamesIn: (inventories: Inventories) => ContestedNames;
  readonly workflows: () => readonly WorkflowToolEntry[];
  readonly coreTools: readonly CoreToolEntry[];
}

interface Built {
  /** The snapshot of all users when this one was built. */
  readonly shared: CatalogSnapshot;
  readonly snapshot: CatalogSnapshot;
}

/** Maximum number of snapshots that are kept. Principals who see the same lists share one. */
const MAX_SNAPSHOTS = 256;

/** The catalogs of principals who see more than everybody sees. */
export class UserCatalogs {
  readonly #sources: UserCatalogSources;
  /** By the identity of the inventories. */
  readonly #built = new LRUCache<Inventories, Built>({ max: MAX_SNAPSHOTS });

  constructor(sources: UserCatalogSources) {
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

/** The content of the catalog. */
interface CatalogSources extends UserCatalogSources {
  readonly inventories: () => readonly ServerInventory[];
  /** Returns the holders of the names that several servers claim, as of `inventories`. */
  readonly contestedNames: () => ContestedNames;
  /** Returns the inventories of a principal; `undefined` for one who sees `inventories` only. */
  readonly inventoriesFor: (principal: Principal) => readonly ServerInventory[] | undefined;
}

export interface CatalogOptions {
  /** Receives each warning of the catalog once. */
  readonly onWarning?: (warning: CatalogWarning, text: string) => void;
  /** Receives each snapshot of what everybody sees. */
  readonly onSnapshot?: (snapshot: CatalogSnapshot) => void;
}

/** Time without a change after which the search index is built: a start, or a burst of changes, needs one. A query does not wait for it. */
const INDEX_DELAY_MS = 500;

/** Receives the keys of the principals whose snapshots may have changed; `undefined` for all. */
type CatalogListener = (principalKeys?: ReadonlySet<string>) => void;

/** The current catalogs. */
export interface LiveCatalog {
  /** Returns the catalog of a principal: the same object while nothing changed, and for all who see the same. */
  readonly snapshot: (principal: Principal) => CatalogSnapshot;
  /** Returns the catalog of what everybody sees. */
  readonly shared: () => CatalogSnapshot;
  /**
   * Reports that the sources have changed. The next snapshot, which reuses the parts of servers that did not change, is built at the end of the turn of
   * the event loop, or when it is first read before that; the listeners are called at the end of the turn.
   */
  readonly refresh: () => void;
  /** Reports that the catalogs of single principals may have changed. */
  readonly usersChanged: (principalKeys: ReadonlySet<string>) => void;
  /** Calls the listener after each change of the snapshots of these principals, or of all. Returns a function that stops it. */
  readonly onChange: (listener: CatalogListener) => () => void;
}

type Build = (previous: CatalogSnapshot | undefined) => CatalogSnapshot;

/** The catalog of what everybody sees. While many servers connect, several of them change in one turn of the event loop. */
class SharedCatalog {
  readonly #build: Build;
  readonly #onChange: () => void;
  #current: CatalogSnapshot;
  /** The snapshot that the listeners know. */
  #known: CatalogSnapshot;
  #isStale = false;
  #settling: NodeJS.Immediate | undefined;

  constructor(build: Build, onChange: () => void) {
    this.#build = build;
    this.#onChange = onChange;
    this.#current = build(undefined);
    this.#known = this.#current;
  }

  latest(): CatalogSnapshot {
    if (this.#isStale) {
      this.#isStale = false;
      this.#current = this.#build(this.#current);
    }
    return this.#current;
  }

  refresh(): void {
    this.#isStale = true;
    this.#settling ??= setImmediate(() => this.#settle());
  }

  #settle(): void {
    this.#settling = undefined;
    if (this.latest() === this.#known) return;
    this.#known = this.#current;
    this.#onChange();
  }
}

/** Creates a catalog from the current content of its sources. */
export function createLiveCatalog(sources: CatalogSources, options: CatalogOptions): LiveCatalog {
  const listeners = new Set<CatalogListener>();
  const notify: CatalogListener = (principalKeys) => {
    for (const listener of [...listeners]) listener(principalKeys);
  };
  let indexing: NodeJS.Timeout | undefined;
  const index = (): void => {
    indexing?.refresh();
    indexing ??= setTimeout(() => {
      indexing = undefined;
      prepareSearch(shared.latest());
    }, INDEX_DELAY_MS).unref();
  };
  const shared = new SharedCatalog(createBuilder(sources, options), () => {
    notify();
    index();
  });
  const personal = new UserCatalogs(sources);
  return {
    snapshot: (principal) => {
      const inventories = sources.inventoriesFor(principal);
      const latest = shared.latest();
      return inventories === undefined ? latest : personal.of(inventories, latest);
    },
    shared: () => shared.latest(),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    usersChanged: notify,
    refresh: () => shared.refresh(),
  };
}

function createBuilder(
  { inventories, contestedNames, workflows, coreTools }: CatalogSources,
  { onWarning, onSnapshot }: CatalogOptions,
): Build {
  const fresh = createWarningFilter();
  return (previous) => {
    const input = {
      servers: inventories(),
      contested: contestedNames(),
      workflows: workflows(),
      coreTools,
    };
    const next = buildCatalog(input, previous);
    if (onWarning !== undefined)
      for (const warning of fresh(next)) onWarning(warning, formatWarning(warning));
    if (next !== previous) onSnapshot?.(next);
    return next;
  };
}
