import {
  dataReferences,
  isJsonMap,
  type DataReferences,
  type JsonMap,
  type JsonValue,
  type ValueTemplate,
} from '@gateway/go-template';
import type { TemplateData } from '../model/template-data.ts';

/** Messages about a missing key compare it with this number of existing keys. */
const COMPARED_KEYS = 256;

/** Returns a map with the given keys; other keys have no value but exist, for messages about missing keys. */
const reduced = (map: JsonMap, keys: ReadonlySet<string>): JsonMap => {
  const part = Object.create(null) as Record<string, JsonValue>;
  for (const key of Object.keys(map).slice(0, COMPARED_KEYS)) part[key] = null;
  for (const key of keys) {
    const value = Object.hasOwn(map, key) ? map[key] : undefined;
    if (value !== undefined) part[key] = value;
  }
  return part;
};

const referencedPart = (value: JsonValue, root: string, references: DataReferences): JsonValue => {
  const own = references.filter(([name]) => name === root);
  if (own.some(([, key]) => key === undefined) || !isJsonMap(value)) {
    return own.length === 0 ? null : value;
  }
  return reduced(value, new Set(own.flatMap(([, key]) => key ?? [])));
};

/** Returns the part of the data that templates refer to, as it is at this moment: a run adds results later. */
export const referencedData = (
  templates: readonly ValueTemplate[],
  data: TemplateData,
): JsonMap => {
  const references = dataReferences(templates);
  const parts = Object.entries(data).map(([root, value]) => {
    if (references !== undefined) return [root, referencedPart(value, root, references)] as const;
    return [root, isJsonMap(value) ? { ...value } : value] as const;
  });
  return Object.fromEntries(parts);
};
