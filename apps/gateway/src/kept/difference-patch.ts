import { isDeepStrictEqual } from 'node:util';

type Mapping = Readonly<Record<string, unknown>>;

const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const differenceOf = (before: unknown, after: unknown): unknown =>
  isMapping(before) && isMapping(after) ? differencePatch(before, after) : after;

/** The patch that makes one mapping of another (RFC 7396). */
export function differencePatch(before: Mapping, after: Mapping): Mapping {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = keys.flatMap((key): [string, unknown][] => {
    if (!Object.hasOwn(after, key)) return [[key, null]];
    const was = Object.hasOwn(before, key) ? before[key] : undefined;
    return isDeepStrictEqual(was, after[key]) ? [] : [[key, differenceOf(was, after[key])]];
  });
  return Object.fromEntries(changes);
}
