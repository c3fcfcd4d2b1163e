/** The selectors as texts and logs print them: `[a,b]`, as given, in order, duplicates kept. @spec §7.1 */
export const formatToolset = (selectors: readonly string[]): string => `[${selectors.join(',')}]`;
