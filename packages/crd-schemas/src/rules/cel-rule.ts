/** The kinds of resources that have rules. @spec §1.5 */
export type ResourceKind = 'MCPServer' | 'Workflow';

/** The reason that Kubernetes reports for a broken rule; `FieldValueInvalid` by default. */
export type RuleReason =
  'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';

/** The step of a path from a list to its items. */
export const ITEMS = '[]';

/**
 * A requirement between fields of one value, as an entry of `x-kubernetes-validations`.
 *
 * @spec §7.6
 */
export interface CelRule {
  /** The name of the rule; the same at each place to which it applies. */
  readonly id: string;
  /** The field names from the root of the document to the value of the rule; `[]` is each item of a list. */
  readonly path: readonly string[];
  /** A CEL expression that is true when the rule is satisfied. `self` is the value, always a mapping. */
  readonly rule: string;
  readonly message: string;
  /** From the value to the field at fault, `.auth.type`; the value itself when absent. */
  readonly fieldPath?: string;
  readonly reason?: RuleReason;
}
