import { visit, type Document } from 'yaml';

/** Returns the offset of the first alias whose anchor does not come before it; undefined when there is none. */
export const unresolvedAliasOffset = (document: Document.Parsed): number | undefined => {
  const anchors = new Set<string>();
  let offset: number | undefined;
  visit(document, {
    Value: (_key, { anchor }) => {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Alias: (_key, alias) => {
      if (anchors.has(alias.source)) return undefined;
      offset = alias.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
};
