/** The compared fields of a tool. */
export type ToolField = 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations';

/** A tool whose declaration differs from the accepted one. */
export interface ToolChange {
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Time of the last change in milliseconds since the epoch. */
  readonly at: number;
  /** The fields that changed since the last acceptance, even when they were changed back. */
  readonly fields: readonly ToolField[];
  /** `readOnlyHint` is true and the accepted hint is false or unset. */
  readonly hintWidened: boolean;
  /** The catalog uses the accepted `readOnlyHint` until the new one is accepted. */
  readonly held: boolean;
}

/** The outcome of accepting tool declarations. */
export type AcceptOutcome =
  /**
   * `tools`: the tools that had changes, sorted. `unsaved`: the acceptance lasts until the gateway restarts, because it could not be
   * written.
   */
  | { readonly kind: 'done'; readonly tools: readonly string[]; readonly unsaved?: true }
  /** The server does not exist. */
  | { readonly kind: 'unknown' }
  /** The server has no such tools. Nothing was accepted. */
  | { readonly kind: 'unknown-tools'; readonly tools: readonly string[] }
  | { readonly kind: 'failed'; readonly text: string };
