/** Which tool's `readOnlyHint` turned from false or unset to true. */
export interface HintWidened {
  readonly server: string;
  readonly tool: string;
  /** It waits to be accepted. */
  readonly held: boolean;
}
