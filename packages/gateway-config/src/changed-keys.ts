import { isDeepStrictEqual } from 'node:util';

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keys that two configurations do not agree on, as `group.key` inside of groups; presets are one key. */
export function changedKeys(before: object, after: object): readonly string[] {
  const was = new Map<string, unknown>(Object.entries(before));
  const is = new Map<string, unknown>(Object.entries(after));
  const keys = [...new Set([...was.keys(), ...is.keys()])];
  return keys.flatMap((key) => {
    const [a, b] = [was.get(key), is.get(key)];
    if (isDeepStrictEqual(a, b)) return [];
    const isWhole = key === 'toolsetPresets' || !isGroup(a) || !isGroup(b);
    return isWhole ? [key] : changedKeys(a, b).map((inner) => `${key}.${inner}`);
  });
}
