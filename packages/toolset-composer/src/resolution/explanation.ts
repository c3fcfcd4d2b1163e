import { fieldOf, listOf, textOf, textsOf } from '../answers/json-fields.ts';

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
export interface SelectedBy {
  readonly selector: string;
  /** From the preset that the selector names down to the rule that names the tool; empty where the selector names it itself. */
  readonly rules: readonly ExplainedRule[];
}

/** A selector that includes a tool which is not selected after all. */
export interface LeftOutBy {
  readonly selector: string;
  /** The rule that takes it out; absent where it is outside of the toolset of the request. */
  readonly by?: ExplainedRule;
}

/** The reasons of the gateway for the selection of a toolset. Tools are known by their names. @spec §4.3 */
export interface Explanation {
  readonly selected: ReadonlyMap<string, readonly SelectedBy[]>;
  readonly leftOut: ReadonlyMap<string, readonly LeftOutBy[]>;
  /** The rules that find nothing for this person. */
  readonly idleRules: readonly ExplainedRule[];
  /** Sentences about selectors that a reader may mistake for an access control. */
  readonly notes: readonly string[];
}

const ruleOf = (value: unknown): ExplainedRule | undefined => {
  const preset = textOf(fieldOf(value, 'preset'));
  const list = fieldOf(value, 'list');
  const index = fieldOf(value, 'index');
  const rule = textOf(fieldOf(value, 'rule'));
  if (preset === undefined || rule === undefined || typeof index !== 'number') return undefined;
  return list === 'include' || list === 'exclude' ? { preset, list, index, rule } : undefined;
};

const rulesOf = (value: unknown): readonly ExplainedRule[] =>
  listOf(value).flatMap((entry) => ruleOf(entry) ?? []);

const selectedBy = (value: unknown): readonly SelectedBy[] =>
  listOf(value).flatMap((entry) => {
    const selector = textOf(fieldOf(entry, 'selector'));
    return selector === undefined ? [] : [{ selector, rules: rulesOf(fieldOf(entry, 'rules')) }];
  });

const selectedOf = (tools: unknown): Explanation['selected'] => {
  const selected = new Map<string, readonly SelectedBy[]>();
  for (const entry of listOf(tools)) {
    const name = textOf(fieldOf(entry, 'name'));
    if (name !== undefined) selected.set(name, selectedBy(fieldOf(entry, 'selected_by')));
  }
  return selected;
};

const leftOutOf = (tools: unknown): Explanation['leftOut'] => {
  const leftOut = new Map<string, LeftOutBy[]>();
  for (const entry of listOf(tools)) {
    const [name, selector] = [textOf(fieldOf(entry, 'name')), textOf(fieldOf(entry, 'selector'))];
    if (name === undefined || selector === undefined) continue;
    const by = ruleOf(fieldOf(entry, 'by'));
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
export const explanationOf = (meta: unknown): Explanation | undefined => {
  const explained = fieldOf(meta, EXPLAIN_KEY);
  if (!Array.isArray(fieldOf(explained, 'tools'))) return undefined;
  return {
    selected: selectedOf(fieldOf(explained, 'tools')),
    leftOut: leftOutOf(fieldOf(explained, 'left_out')),
    idleRules: rulesOf(fieldOf(explained, 'idle_rules')),
    notes: textsOf(fieldOf(explained, 'notes')),
  };
};
