import type { ExplainedRule, Explanation, LeftOutBy, SelectedBy } from './explanation.ts';

/** Returns a rule with its place in the configuration: `"server: memory" (ops.include[0])`. */
export const ruleText = ({ preset, list, index, rule }: ExplainedRule): string =>
  `"${rule}" (${preset}.${list}[${index}])`;

const selectedText = ({ selector, rules }: SelectedBy): string =>
  rules.length === 0 ? selector : `${selector}: ${rules.map(ruleText).join(', then ')}`;

const leftOutText = ({ selector, by }: LeftOutBy): string =>
  by === undefined
    ? `${selector} includes it, but the toolset of the request does not.`
    : `${selector} excludes it: ${ruleText(by)}`;

/** The reason why a toolset has a tool or not. */
export interface ToolReason {
  readonly state: 'in' | 'left-out' | 'not-named';
  /** One sentence for each selector that concerns the tool. */
  readonly texts: readonly string[];
}

/** Returns the reason why an explained toolset has a tool or not. */
export const reasonOf = ({ selected, leftOut }: Explanation, tool: string): ToolReason => {
  const selections = selected.get(tool);
  if (selections !== undefined) return { state: 'in', texts: selections.map(selectedText) };
  const reasons = leftOut.get(tool);
  if (reasons !== undefined) return { state: 'left-out', texts: reasons.map(leftOutText) };
  return { state: 'not-named', texts: ['No selector names it.'] };
};
