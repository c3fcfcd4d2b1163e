import type { CatalogTool } from '../answers/catalog-tool.ts';
import type { CatalogRow } from './catalog-row.ts';
import type { CatalogSection } from './catalog-sections.ts';

const wordsOf = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');

const hasAll = (text: string, words: readonly string[]): boolean => {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
};

const foundRow = (row: CatalogRow, words: readonly string[]): CatalogRow | undefined => {
  if (hasAll(row.name, words)) return row;
  const matches = ({ name, description }: CatalogTool): boolean =>
    hasAll(`${row.name} ${name} ${description}`, words);
  const tools = row.tools.filter(matches);
  return tools.length === 0 ? undefined : { ...row, tools };
};

/**
 * Returns the catalog narrowed to what contains all words of a query, in any case: rows by their name with all their tools, other rows
 * with the tools whose names or descriptions contain the words. Every section without a match is left out.
 */
export const searchSections = (
  sections: readonly CatalogSection[],
  query: string,
): readonly CatalogSection[] => {
  const words = wordsOf(query);
  if (words.length === 0) return sections;
  return sections
    .map((section) => ({
      ...section,
      rows: section.rows.flatMap((row) => foundRow(row, words) ?? []),
    }))
    .filter(({ rows }) => rows.length > 0);
};
