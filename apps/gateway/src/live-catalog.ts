import {
  buildCatalog,
  catalogWarningText,
  prepareSearch,
  warningsOnce,
  type CatalogSnapshot,
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

/** Starts with what the sources hold now. `warn` gets each warning of the catalog once. */
export function createLiveCatalog(
  sources: CatalogSources,
  warn: (text: string) => void,
): LiveCatalog {
  const toLog = warningsOnce();
  const build = (previous: CatalogSnapshot | undefined): CatalogSnapshot => {
    const { inventories, workflows, coreTools } = sources;
    const next = buildCatalog(
      { servers: inventories(), workflows: workflows(), coreTools },
      previous,
    );
    for (const warning of toLog(next)) warn(catalogWarningText(warning));
    return next;
  };
  let current = build(undefined);
  const listeners = new Set<() => void>();
  let indexing: NodeJS.Timeout | undefined;
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
      indexing ??= setTimeout(() => {
        indexing = undefined;
        prepareSearch(current);
      }, INDEX_AFTER_MS).unref();
    },
  };
}
