import { readOwnField, toList, findText, toTexts } from '@gateway/call-contract';
import type { ListedTool } from './catalog-tool.ts';

/** The `_meta` key of `filter_tools` that requests, with the value `true`, an explanation of its toolset, and that carries it in the result. */
export const EXPLAIN_KEY = 'gateway.internal/explain-toolset';

/** A rule of a preset with its position. @spec §2.2 */
export interface ExplainedRule {
  readonly preset: string;
  readonly list: 'include' | 'exclude';
  readonly index: number;
  /** As the configuration writes it: `server: memory`. */
  readonly rule: string;
}

/** A selector that selects a tool. */
export interface SelectorExplanation {
  readonly selector: string;
  /** The rules from the preset of the selector to the rule that names the tool; empty when the selector names the tool itself. */
  readonly rules: readonly ExplainedRule[];
}

/** A selector that includes a tool, or a rule of it, although the tool is not selected. */
export interface ToolExclusion {
  readonly selector: string;
  /** The rule that excludes the tool; absent when the toolset of the request does not include it. */
  readonly by?: ExplainedRule;
}

/** The reasons why the gateway selects or excludes tools, by tool name. @spec §4.3 */
export interface Explanation {
  readonly selected: ReadonlyMap<string, readonly SelectorExplanation[]>;
  readonly leftOut: ReadonlyMap<string, readonly ToolExclusion[]>;
  /** The rules that match no tool of this user. */
  readonly idleRules: readonly ExplainedRule[];
  /** Sentences about selectors that a reader may mistake for an access control. */
  readonly notes: readonly string[];
}

const parseRule = (value: unknown): ExplainedRule | undefined => {
  const preset = findText(readOwnField(value, 'preset'));
  const list = readOwnField(value, 'list');
  const index = readOwnField(value, 'index');
  const rule = findText(readOwnField(value, 'rule'));
  if (preset === undefined || rule === undefined || typeof index !== 'number') return undefined;
  return list === 'include' || list === 'exclude' ? { preset, list, index, rule } : undefined;
};

const parseRules = (value: unknown): readonly ExplainedRule[] =>
  toList(value).flatMap((entry) => parseRule(entry) ?? []);

const parseSelectors = (value: unknown): readonly SelectorExplanation[] =>
  toList(value).flatMap((entry) => {
    const selector = findText(readOwnField(entry, 'selector'));
    return selector === undefined
      ? []
      : [{ selector, rules: parseRules(readOwnField(entry, 'rules')) }];
  });

const parseSelected = (tools: unknown): Explanation['selected'] => {
  const selected = new Map<string, readonly SelectorExplanation[]>();
  for (const entry of toList(tools)) {
    const name = findText(readOwnField(entry, 'name'));
    if (name !== undefined) selected.set(name, parseSelectors(readOwnField(entry, 'selected_by')));
  }
  return selected;
};

const parseLeftOut = (tools: unknown): Explanation['leftOut'] => {
  const leftOut = new Map<string, ToolExclusion[]>();
  for (const entry of toList(tools)) {
    const [name, selector] = [
      findText(readOwnField(entry, 'name')),
      findText(readOwnField(entry, 'selector')),
    ];
    if (name === undefined || selector === undefined) continue;
    const by = parseRule(readOwnField(entry, 'by'));
    const reason = { selector, ...(by !== undefined && { by }) };
    leftOut.set(name, [...(leftOut.get(name) ?? []), reason]);
  }
  return leftOut;
};

/**
 * Reads the explanation of a result of `filter_tools`.
 *
 * @param meta `_meta` of the result
 * @returns `undefined` when the gateway explains nothing
 */
export const readExplanation = (meta: unknown): Explanation | undefined => {
  const explained = readOwnField(meta, EXPLAIN_KEY);
  if (!Array.isArray(readOwnField(explained, 'tools'))) return undefined;
  return {
    selected: parseSelected(readOwnField(explained, 'tools')),
    leftOut: parseLeftOut(readOwnField(explained, 'left_out')),
    idleRules: parseRules(readOwnField(explained, 'idle_rules')),
    notes: toTexts(readOwnField(explained, 'notes')),
  };
};

/** Returns a rule with its place in the configuration: `"server: memory" (ops.include[0])`. */
export const formatRule = ({ preset, list, index, rule }: ExplainedRule): string =>
  `"${rule}" (${preset}.${list}[${index}])`;

const formatSelected = ({ selector, rules }: SelectorExplanation): string =>
  rules.length === 0 ? selector : `${selector}: ${rules.map(formatRule).join(', then ')}`;

const formatLeftOut = ({ selector, by }: ToolExclusion): string =>
  by === undefined
    ? `${selector} includes it, but the toolset of the request does not.`
    : `${selector} excludes it: ${formatRule(by)}`;

/** The reason why a toolset has a tool or not. */
export interface ToolReason {
  readonly state: 'in' | 'left-out' | 'not-named';
  /** One sentence for each selector that concerns the tool. */
  readonly texts: readonly string[];
}

/** Returns the reason why an explained toolset has a tool or not. */
export const resolveToolReason = ({ selected, leftOut }: Explanation, tool: string): ToolReason => {
  const selections = selected.get(tool);
  if (selections !== undefined) return { state: 'in', texts: selections.map(formatSelected) };
  const reasons = leftOut.get(tool);
  if (reasons !== undefined) return { state: 'left-out', texts: reasons.map(formatLeftOut) };
  return { state: 'not-named', texts: ['No selector names it.'] };
};

/** The tools of a comparison that are shown. `different`: in one toolset only. `left-out`: excluded by a rule of a toolset. */
export type ComparisonView = 'selected' | 'different' | 'left-out' | 'all';

/** The views in the order in which they are offered, with their names. */
export const COMPARISON_VIEWS: readonly {
  readonly view: ComparisonView;
  readonly label: string;
}[] = [
  { view: 'selected', label: 'Selected' },
  { view: 'different', label: 'Different' },
  { view: 'left-out', label: 'Left out' },
  { view: 'all', label: 'All tools' },
];

/** A tool with the reasons of each toolset, in the order of the toolsets. */
export interface ComparedTool {
  readonly tool: ListedTool;
  readonly reasons: readonly ToolReason[];
}

const isShown = (reasons: readonly ToolReason[], view: ComparisonView): boolean => {
  const hasSome = (state: ToolReason['state']): boolean =>
    reasons.some((reason) => reason.state === state);
  switch (view) {
    case 'selected':
      return hasSome('in');
    case 'different':
      return hasSome('in') && reasons.some(({ state }) => state !== 'in');
    case 'left-out':
      return hasSome('left-out');
    case 'all':
      return true;
  }
};

/**
 * Compares toolsets tool by tool.
 *
 * @param tools the catalog of the user
 * @returns the tools of the view, in the order of the catalog
 */
export const compareToolsets = (
  tools: readonly ListedTool[],
  explanations: readonly Explanation[],
  view: ComparisonView,
): readonly ComparedTool[] =>
  tools
    .map((tool) => ({
      tool,
      reasons: explanations.map((explanation) => resolveToolReason(explanation, tool.name)),
    }))
    .filter(({ reasons }) => isShown(reasons, view));
