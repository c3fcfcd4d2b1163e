import type { CatalogRow } from './catalog-row.ts';
import type { CatalogSection } from './catalog-sections.ts';

const TOOL = 'tool:';

/** Returns whether a selector of tools that a sign-in makes available can select tools of a row. */
const concerns = (selector: string, { selector: whole, name }: CatalogRow): boolean => {
  if (selector.startsWith('server:')) return selector === whole;
  return !selector.startsWith(TOOL) || selector.startsWith(`${TOOL}x_${name}_`);
};

/**
 * Returns the names of the servers that a person has to sign in to before these selectors select their tools. A preset can concern every
 * server that requires a sign-in.
 *
 * @param selectors `requiringAuth` of a resolution
 * @spec §4.3
 */
export const serversToSignIn = (
  sections: readonly CatalogSection[],
  selectors: readonly string[],
): readonly string[] => {
  const rows = sections.flatMap((section) => section.rows);
  const found = rows.filter((row) => selectors.some((selector) => concerns(selector, row)));
  return [...new Set(found.flatMap(({ signIn }) => signIn))];
};
