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
  const next: ServerInventory = {
    name: metadata.name,
    labels: metadata.labels,
    ...(spec.toolPrefix === undefined ? {} : { toolPrefix: spec.toolPrefix }),
    ...(spec.family === undefined
      ? {}
      : { family: { name: spec.family.name, instanceArg: spec.family.instanceArg } }),
    ...lists,
  };
  return previous !== undefined && isDeepStrictEqual(previous, next) ? previous : next;
};
