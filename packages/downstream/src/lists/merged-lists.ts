import { isDeepStrictEqual } from 'node:util';
import { inSlices } from './in-slices.ts';
import type { ServerLists } from './server-lists.ts';

interface Entry {
  readonly listed?: unknown;
}

/** What is known of an entry follows from what its server listed, so that nothing else needs to be compared. */
const isSame = (a: Entry, b: Entry): boolean =>
  a.listed !== undefined && b.listed !== undefined
    ? isDeepStrictEqual(a.listed, b.listed)
    : isDeepStrictEqual(a, b);

/** The entries `after`, with those of `before` in the place of equal ones; `before` itself when all are. */
const mergedList = async <T extends Entry>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (entry: T) => string,
): Promise<readonly T[]> => {
  const known = new Map(before.map((entry) => [keyOf(entry), entry]));
  const merged: T[] = [];
  await inSlices(after, (entry, index) => {
    // The place comes first: a server may list several entries with one name.
    const there = before[index];
    const key = keyOf(entry);
    const one = there !== undefined && keyOf(there) === key ? there : known.get(key);
    merged.push(one !== undefined && isSame(one, entry) ? one : entry);
  });
  return sameItems(merged, before) ? before : merged;
};

/** Whether both lists hold the same objects. */
export const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/** The newly read lists, with the entries and arrays of `before` wherever they are equal, so that equal means identical. Works in slices. */
export const mergedLists = async (
  before: ServerLists,
  after: ServerLists,
): Promise<ServerLists> => {
  const merged: ServerLists = {
    tools: await mergedList(before.tools, after.tools, ({ name }) => name),
    resources: await mergedList(before.resources, after.resources, ({ uri }) => uri),
    resourceTemplates: await mergedList(
      before.resourceTemplates,
      after.resourceTemplates,
      ({ uriTemplate }) => uriTemplate,
    ),
    prompts: await mergedList(before.prompts, after.prompts, ({ name }) => name),
  };
  return sameLists(merged, before) ? before : merged;
};

/** Whether all four arrays are the same ones. */
const sameLists = (a: ServerLists, b: ServerLists): boolean =>
  a.tools === b.tools &&
  a.resources === b.resources &&
  a.resourceTemplates === b.resourceTemplates &&
  a.prompts === b.prompts;
