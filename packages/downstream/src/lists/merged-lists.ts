import { isDeepStrictEqual } from 'node:util';
import { inSlices } from './in-slices.ts';
import type { ServerLists } from './server-lists.ts';

interface Entry {
  readonly listed?: unknown;
}

/** The parsed entry is derived from the listed entry, so only the listed entry is compared. */
const isSame = (a: Entry, b: Entry): boolean =>
  a.listed !== undefined && b.listed !== undefined
    ? isDeepStrictEqual(a.listed, b.listed)
    : isDeepStrictEqual(a, b);

/** Returns the entries of `after`, with equal entries of `before` in their places; `before` itself when all are equal. */
const mergedList = async <T extends Entry>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (entry: T) => string,
): Promise<readonly T[]> => {
  const known = new Map(before.map((entry) => [keyOf(entry), entry]));
  const merged: T[] = [];
  await inSlices(after, (entry, index) => {
    // The position is tried first, because a server may list several entries with one name.
    const there = before[index];
    const key = keyOf(entry);
    const one = there !== undefined && keyOf(there) === key ? there : known.get(key);
    merged.push(one !== undefined && isSame(one, entry) ? one : entry);
  });
  return sameItems(merged, before) ? before : merged;
};

/** Returns whether both lists contain the same objects. */
export const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);

/**
 * Returns the newly read lists with the arrays and entries of `before` wherever they are equal, so that equality means identity. Works in
 * slices.
 */
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

/** Returns whether all four arrays are identical. */
const sameLists = (a: ServerLists, b: ServerLists): boolean =>
  a.tools === b.tools &&
  a.resources === b.resources &&
  a.resourceTemplates === b.resourceTemplates &&
  a.prompts === b.prompts;
