/** How writing a file ended. */
export type FileWriteResult =
  /** The store's current state shows it, and its listeners were told. */
  | { readonly kind: 'done' }
  /** There is a file of this name already; nothing was written. */
  | { readonly kind: 'exists' }
  /** There is no file of this name; nothing was written. */
  | { readonly kind: 'missing' }
  /** Nothing changed. The text is one line, without a full stop. */
  | { readonly kind: 'failed'; readonly text: string };

/** What was to be written breaks rules: one line for each of them, never none. Nothing was written. */
export interface InvalidWrite {
  readonly kind: 'invalid';
  readonly issues: readonly string[];
}
