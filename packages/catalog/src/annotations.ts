/**
 * Hints about a tool. An unset hint stays absent: unset, `true` and `false` are three states.
 *
 * @spec §2.4
 */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}
