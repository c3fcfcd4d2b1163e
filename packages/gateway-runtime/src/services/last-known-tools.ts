import { buildCatalog, type CatalogSnapshot, type ServerInventory } from '@gateway/catalog';
import type { Downstream } from '@gateway/downstream';
import type { MetaToolPorts } from '@gateway/meta-tools';
import { LRUCache } from 'lru-cache';
import type { LiveCatalog } from '../live-catalog.ts';

type LastKnownTools = NonNullable<ReturnType<MetaToolPorts['lastKnownTools']>>;

type Inventories = readonly ServerInventory[];

/** Maximum number of catalogs that are kept. Principals who see the same lists share one. */
const MAX_CATALOGS = 64;

interface Built {
  readonly snapshot: CatalogSnapshot;
  readonly tools: LastKnownTools;
}

/**
 * Returns a function that returns the tools of the servers that are down, as a principal last saw them. A catalog of them is built at the
 * first question about a tool that is not in the catalog, and kept while nothing changes.
 */
export function lastKnownTools(
  catalog: Pick<LiveCatalog, 'snapshot'>,
  downstream: Downstream,
): MetaToolPorts['lastKnownTools'] {
  const known = new LRUCache<Inventories, Built>({ max: MAX_CATALOGS });
  return (principal) => {
    const down = downstream.lastInventories(principal);
    if (down.length === 0) return undefined;
    const snapshot = catalog.snapshot(principal);
    const last = known.get(down);
    if (last?.snapshot === snapshot) return last.tools;
    const own = downstream.inventoriesFor(principal);
    const connected = own ?? downstream.inventories();
    const contested =
      own === undefined ? downstream.contestedNames() : downstream.contestedNamesIn(own);
    const servers = [...connected, ...down];
    const input = { servers, contested, workflows: [], coreTools: [] };
    const names = new Set(down.map(({ name }) => name));
    const tools = {
      catalog: buildCatalog(input, snapshot),
      stateOf: (server: string) => (names.has(server) ? downstream.stateOf(server) : undefined),
    };
    known.set(down, { snapshot, tools });
    return tools;
  };
}
