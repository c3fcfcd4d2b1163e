/** The kinds of resources that have rules. @spec §1.5 */
export type ResourceKind = 'MCPServer' | 'Workflow';

/** How Kubernetes classes what a rule refuses; `FieldValueInvalid` when a rule does not say. */
export type RuleReason =
  'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';

/** The step of a path from a list to its items. */
export const ITEMS = '[]';

/**
 * What fields of one value require of each other, as an entry of `x-kubernetes-validations` says it.
 *
 * @spec §7.6
 */
export interface CelRule {
  /** Names the rule; the same at each place where it hangs. */
  readonly id: string;
  /** Names of fields from the document's root to the value that the rule speaks of; `[]` stands for each item of a list. */
  readonly path: readonly string[];
  /** An expression of CEL that is true when the rule holds. `self` is the value, always a mapping. */
  readonly rule: string;
  readonly message: string;
  /** From the value to the field at fault, `.auth.type`; the value itself when absent. */
  readonly fieldPath?: string;
  readonly reason?: RuleReason;
}
