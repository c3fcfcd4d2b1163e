import { isScalar, visit, type Document } from 'yaml';

/** A repeated key, and the offset of its second occurrence. */
export interface DuplicateKey {
  readonly key: string;
  readonly offset: number;
}

/** Returns every repeated key of every mapping, in linear time, unlike the check of the library. */
export const duplicateKeysOf = (document: Document.Parsed): readonly DuplicateKey[] => {
  const duplicates: DuplicateKey[] = [];
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const text = String(key.value);
        if (seen.has(text)) duplicates.push({ key: text, offset: key.range?.[0] ?? 0 });
        seen.add(text);
      }
    },
  });
  return duplicates;
};
