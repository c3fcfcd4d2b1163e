const DECIMAL = /^[1-9]\d*$/;

/**
 * Returns whether a resource version is later than another one of the same kind. The API numbers versions in their order. Versions that are
 * not decimal numbers cannot be compared: then the first one counts as later.
 */
export const isLaterRevision = (revision: string, other: string): boolean => {
  if (!DECIMAL.test(revision) || !DECIMAL.test(other)) return revision !== other;
  return revision.length === other.length ? revision > other : revision.length > other.length;
};
