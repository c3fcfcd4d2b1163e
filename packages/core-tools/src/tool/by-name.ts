/** Compares names by code units, independent of the locale. */
export const byName = (
  left: { readonly name: string },
  right: { readonly name: string },
): number => {
  if (left.name === right.name) return 0;
  return left.name < right.name ? -1 : 1;
};
