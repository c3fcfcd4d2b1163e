import type { Principal } from '@gateway/call-contract';
import {
  buildCatalog,
  catalogWarningText,
  prepareSearch,
  warningsOnce,
  type CatalogSnapshot,
  type CatalogWarning,
  type ContestedNames,
  type ServerInventory,
} from '@gateway/catalog';
import { PersonalCatalogs, type PersonalSources } from './personal-catalogs.ts';

/** The content of the catalog. */
export interface CatalogSources extends PersonalSources {
  readonly inventories: () => readonly ServerInventory[];
  /** Returns the holders of the names that several servers claim, as of `inventories`. */
  readonly contestedNames: () => ContestedNames;
  /** Returns the inventories of a principal; `undefined` for one who sees `inventories` only. */
  readonly inventoriesFor: (principal: Principal) => readonly ServerInventory[] | undefined;
}

/** Options of {@link createLiveCatalog}. */
export interface CatalogOptions {
  /** True when the search index is built before the first search. */
  readonly isSearched: boolean;
  /** Receives each warning of the catalog once. */
  readonly onWarning?: (warning: CatalogWarning, text: string) => void;
  /** Receives each snapshot of what everybody sees. */
  readonly onSnapshot?: (snapshot: CatalogSnapshot) => void;
}

/** Delay between a change and the build of the search index, which covers the changes of a burst. */
const INDEX_DELAY_MS = 100;

/** Receives the keys of the principals whose snapshots may have changed; `undefined` for all. */
type CatalogListener = (principalKeys?: ReadonlySet<string>) => void;

/** The current catalogs. `refresh` rebuilds what everybody sees; no request waits for that. */
export interface LiveCatalog {
  /** Returns the catalog of a principal: the same object while nothing changed, and for all who see the same. */
  readonly snapshot: (principal: Principal) => CatalogSnapshot;
  /** Returns the catalog of what everybody sees. */
  readonly shared: () => CatalogSnapshot;
  /** Builds the next snapshot and reuses the parts of servers that did not change. */
  readonly refresh: () => void;
  /** Reports that the catalogs of single principals may have changed. */
  readonly personalChanged: (principalKeys: ReadonlySet<string>) => void;
  /** Calls the listener after each change of the snapshots of these principals, or of all. Returns a function that stops it. */
  readonly onChange: (listener: CatalogListener) => () => void;
}

/** Creates a catalog from the current content of its sources. */
export function createLiveCatalog(sources: CatalogSources, options: CatalogOptions): LiveCatalog {
  const build = builderOf(sources, options);
  const personal = new PersonalCatalogs(sources);
  let current = build(undefined);
  const listeners = new Set<CatalogListener>();
  const notify: CatalogListener = (principalKeys) => {
    for (const listener of [...listeners]) listener(principalKeys);
  };
  let indexing: NodeJS.Timeout | undefined;
  const index = (): void => {
    indexing ??= setTimeout(() => {
      indexing = undefined;
      prepareSearch(current);
    }, INDEX_DELAY_MS).unref();
  };
  return {
    snapshot: (principal) => {
      const inventories = sources.inventoriesFor(principal);
      return inventories === undefined ? current : personal.of(inventories, current);
    },
    shared: () => current,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    personalChanged: notify,
    refresh: () => {
      const before = current;
      current = build(before);
      if (current === before) return;
      notify();
      if (options.isSearched) index();
    },
  };
}

function builderOf(
  { inventories, contestedNames, workflows, coreTools }: CatalogSources,
  { onWarning, onSnapshot }: CatalogOptions,
): (previous: CatalogSnapshot | undefined) => CatalogSnapshot {
  const fresh = warningsOnce();
  return (previous) => {
    const input = {
      servers: inventories(),
      contested: contestedNames(),
      workflows: workflows(),
      coreTools,
    };
    const next = buildCatalog(input, previous);
    if (onWarning !== undefined)
      for (const warning of fresh(next)) onWarning(warning, catalogWarningText(warning));
    if (next !== previous) onSnapshot?.(next);
    return next;
  };
}
