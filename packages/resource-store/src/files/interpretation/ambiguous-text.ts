/** Returns the problem of several files that define one resource; none of them is used. */
export const ambiguousText = (fileNames: readonly string[]): string =>
  `${fileNames.join(' and ')} define the same resource; keep one of them`;
