/** Ignores an error of closing: no caller can act on it. */
export const closeIgnoringErrors = (link: { readonly close: () => Promise<void> }): Promise<void> =>
  link.close().catch(() => undefined);
