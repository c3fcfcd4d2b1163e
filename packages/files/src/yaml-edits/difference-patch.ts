import { isDeepStrictEqual } from 'node:util';
import { isMapping, type Mapping } from './mapping.ts';

const differenceOf = (before: unknown, after: unknown): unknown =>
  isMapping(before) && isMapping(after) ? differencePatch(before, after) : after;

/** Returns the patch that turns one mapping into another. Pure. @see RFC 7396 */
export const differencePatch = (before: Mapping, after: Mapping): Mapping => {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = keys.flatMap((key): readonly (readonly [string, unknown])[] => {
    if (!Object.hasOwn(after, key)) return [[key, null]];
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    return isDeepStrictEqual(was, after[key]) ? [] : [[key, differenceOf(was, after[key])]];
  });
  return Object.fromEntries(changes);
};
