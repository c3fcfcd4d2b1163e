import type { ServerInventory } from '@gateway/catalog';
import type { McpServer } from '@gateway/crd-schemas';
import { isDeepStrictEqual } from 'node:util';
import type { ServerLists } from './server-lists.ts';

/** The inventory of a server; `previous` itself while nothing of it changed. */
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

/** The newly read lists, with the arrays of `before` wherever they are equal, so that equal means identical. */
export const mergedLists = (before: ServerLists, after: ServerLists): ServerLists => {
  const keep = <K extends keyof ServerLists>(key: K): ServerLists[K] =>
    isDeepStrictEqual(before[key], after[key]) ? before[key] : after[key];
  const merged: ServerLists = {
    tools: keep('tools'),
    resources: keep('resources'),
    resourceTemplates: keep('resourceTemplates'),
    prompts: keep('prompts'),
  };
  const same =
    merged.tools === before.tools &&
    merged.resources === before.resources &&
    merged.resourceTemplates === before.resourceTemplates &&
    merged.prompts === before.prompts;
  return same ? before : merged;
};
