import { isDeepStrictEqual } from 'node:util';

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the keys whose values differ between two configurations, as `group.key` inside groups. Presets are one key. */
export function changedKeys(before: object, after: object): readonly string[] {
  const previous = new Map<string, unknown>(Object.entries(before));
  const current = new Map<string, unknown>(Object.entries(after));
  const keys = [...new Set([...previous.keys(), ...current.keys()])];
  return keys.flatMap((key) => {
    const [a, b] = [previous.get(key), current.get(key)];
    if (isDeepStrictEqual(a, b)) return [];
    const isWhole = key === 'toolsetPresets' || !isGroup(a) || !isGroup(b);
    return isWhole ? [key] : changedKeys(a, b).map((inner) => `${key}.${inner}`);
  });
}
