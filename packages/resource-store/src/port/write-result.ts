/** The result of a write. */
export type WriteResult =
  /** The current state shows the write, and the listeners were called. */
  | { readonly kind: 'done' }
  /** A resource with this key exists; nothing was written. */
  | { readonly kind: 'exists' }
  /** No resource has this key; nothing was written. */
  | { readonly kind: 'missing' }
  /** Nothing changed. The text is one line without a full stop. */
  | { readonly kind: 'failed'; readonly text: string };

/** The result breaks rules: one line for each, never none. Nothing was written. */
export interface InvalidWrite {
  readonly kind: 'invalid';
  readonly issues: readonly string[];
}
