/** Compares texts by code units, independent of the locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
