/** Says that several files stand for one resource, of which none is taken. */
export const ambiguousText = (fileNames: readonly string[]): string =>
  `${fileNames.join(' and ')} stand for the same resource; keep one of them`;
