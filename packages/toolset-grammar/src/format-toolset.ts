/** Formats selectors for texts and logs: `[a,b]`, as given, in order, with duplicates. @spec §7.1 */
export const formatToolset = (selectors: readonly string[]): string => `[${selectors.join(',')}]`;
