import { isScalar, visit, type Document } from 'yaml';

/** Returns the offsets of repeated keys of every mapping, in linear time, unlike the check of the library; at most `max`. */
export const duplicateKeyOffsets = (document: Document.Parsed, max: number): readonly number[] => {
  const offsets: number[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const text = String(key.value);
        if (seen.has(text)) offsets.push(key.range?.[0] ?? 0);
        seen.add(text);
      }
      return offsets.length < max ? undefined : visit.BREAK;
    },
  });
  return offsets;
};
