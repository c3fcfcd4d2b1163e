import {
  buildCatalog,
  catalogWarningText,
  prepareSearch,
  warningsOnce,
  type CatalogSnapshot,
  type CatalogWarning,
  type ContestedNames,
  type CoreToolEntry,
  type ServerInventory,
  type WorkflowToolEntry,
} from '@gateway/catalog';

/** The content of the catalog. */
export interface CatalogSources {
  readonly inventories: () => readonly ServerInventory[];
  /** Returns the holders of the names that several servers claim, as of `inventories`. */
  readonly contestedNames: () => ContestedNames;
  readonly workflows: () => readonly WorkflowToolEntry[];
  readonly coreTools: readonly CoreToolEntry[];
}

/** Options of {@link createLiveCatalog}. */
export interface CatalogOptions {
  /** True when the search index is built before the first search. */
  readonly isSearched: boolean;
  /** Receives each warning of the catalog once. */
  readonly onWarning?: (warning: CatalogWarning, text: string) => void;
  /** Receives each snapshot. */
  readonly onSnapshot?: (snapshot: CatalogSnapshot) => void;
}

/** Delay between a change and the build of the search index, which covers the changes of a burst. */
const INDEX_DELAY_MS = 100;

/** The current catalog. `refresh` rebuilds it; no request waits for that. */
export interface LiveCatalog {
  readonly snapshot: () => CatalogSnapshot;
  /** Builds the next snapshot and reuses the parts of servers that did not change. */
  readonly refresh: () => void;
  /** Calls the listener after each snapshot that differs from the previous one. Returns a function that stops it. */
  readonly onChange: (listener: () => void) => () => void;
}

/** Creates a catalog from the current content of its sources. */
export function createLiveCatalog(sources: CatalogSources, options: CatalogOptions): LiveCatalog {
  const build = builderOf(sources, options);
  let current = build(undefined);
  const listeners = new Set<() => void>();
  let indexing: NodeJS.Timeout | undefined;
  const index = (): void => {
    indexing ??= setTimeout(() => {
      indexing = undefined;
      prepareSearch(current);
    }, INDEX_DELAY_MS).unref();
  };
  return {
    snapshot: () => current,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh: () => {
      const before = current;
      current = build(before);
      if (current === before) return;
      for (const listener of [...listeners]) listener();
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
