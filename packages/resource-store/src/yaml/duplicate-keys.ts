import { isScalar, visit, type Document } from 'yaml';

/** A key that its mapping has already, and the offset of its second place. */
export interface DuplicateKey {
  readonly key: string;
  readonly offset: number;
}

/** Every repeated key of every mapping. Linear, which the library's own check is not. */
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
