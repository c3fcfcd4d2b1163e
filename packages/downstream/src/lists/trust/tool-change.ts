/** What is compared of a tool. */
export type ToolField = 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations';

/** A tool of which its server does not say any more what was accepted. */
export interface ToolChange {
  /** The server's own name of the tool. */
  readonly tool: string;
  /** When the last change was seen, in milliseconds since the epoch. */
  readonly at: number;
  /** What has changed since it was accepted, whether or not it was changed back. */
  readonly fields: readonly ToolField[];
  /** `readOnlyHint` is true and was accepted as false or unset. */
  readonly hintWidened: boolean;
  /** The catalog keeps the accepted `readOnlyHint` until the new one is accepted. */
  readonly held: boolean;
}

/** What became of an order to accept what a server says of its tools. */
export type AcceptOutcome =
  /** `tools`: those that had changes, sorted. `unsaved`: it holds until the gateway restarts, since it could not be written down. */
  | { readonly kind: 'done'; readonly tools: readonly string[]; readonly unsaved?: true }
  /** There is no such server. */
  | { readonly kind: 'unknown' }
  /** Nothing is known of these tools of the server. Nothing was accepted. */
  | { readonly kind: 'unknown-tools'; readonly tools: readonly string[] }
  | { readonly kind: 'failed'; readonly text: string };
