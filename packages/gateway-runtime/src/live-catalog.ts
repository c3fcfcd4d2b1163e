import {
  buildCatalog,
  catalogWarningText,
  prepareSearch,
  warningsOnce,
  type CatalogSnapshot,
  type CatalogWarning,
  type CoreToolEntry,
  type ServerInventory,
  type WorkflowToolEntry,
} from '@gateway/catalog';

/** Where the catalog's content comes from. */
export interface CatalogSources {
  readonly inventories: () => readonly ServerInventory[];
  readonly workflows: () => readonly WorkflowToolEntry[];
  readonly coreTools: readonly CoreToolEntry[];
}

/** What is done beside building the catalog. */
export interface CatalogOptions {
  /** Whether the search index is made before somebody searches. */
  readonly isSearched: boolean;
  /** Takes each warning of the catalog once. */
  readonly onWarning?: (warning: CatalogWarning, text: string) => void;
  /** Takes each snapshot. */
  readonly onSnapshot?: (snapshot: CatalogSnapshot) => void;
}

/** How long a burst of changes may last before the search index is made, so that no query waits for it. */
const INDEX_AFTER_MS = 100;

/** The catalog that is in force; rebuilt on `refresh`, never while a request waits for it. */
export interface LiveCatalog {
  readonly snapshot: () => CatalogSnapshot;
  /** Builds the next snapshot; parts of servers that did not change are taken over. */
  readonly refresh: () => void;
  /** Calls back after each snapshot that is another than the one before; returns the way to stop it. */
  readonly onChange: (listener: () => void) => () => void;
}

/** Starts with what the sources hold now. */
export function createLiveCatalog(sources: CatalogSources, options: CatalogOptions): LiveCatalog {
  const build = builderOf(sources, options);
  let current = build(undefined);
  const listeners = new Set<() => void>();
  let indexing: NodeJS.Timeout | undefined;
  const index = (): void => {
    indexing ??= setTimeout(() => {
      indexing = undefined;
      prepareSearch(current);
    }, INDEX_AFTER_MS).unref();
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
  { inventories, workflows, coreTools }: CatalogSources,
  { onWarning, onSnapshot }: CatalogOptions,
): (previous: CatalogSnapshot | undefined) => CatalogSnapshot {
  const fresh = warningsOnce();
  return (previous) => {
    const servers = inventories();
    const next = buildCatalog({ servers, workflows: workflows(), coreTools }, previous);
    if (onWarning !== undefined)
      for (const warning of fresh(next)) onWarning(warning, catalogWarningText(warning));
    if (next !== previous) onSnapshot?.(next);
    return next;
  };
}
