import {
  emptySelection,
  intersectionOf,
  selectLists,
  unionOf,
  type CatalogTool,
  type ToolSelection,
} from '@gateway/catalog';
import type { Selector } from '@gateway/toolset-grammar';
import type { LabelsUnavailable } from './labels-unavailable.ts';
import { resolvePreset } from './preset-selection.ts';
import type { PresetSet } from './preset.ts';
import { NO_LABELS, readLabels } from './read-labels.ts';
import { memoOf, type Resolution } from './resolution-memo.ts';
import { toolsOfRule, type RuleGround } from './rule-tools.ts';
import type { ToolsetQuestion } from './toolset-question.ts';
import { unknownPresetOf, type UnknownPreset } from './unknown-preset.ts';

/** The selection of a toolset for the caller, or the unknown preset that it names. */
export type ResolvedToolset =
  | {
      readonly ok: true;
      readonly selection: ToolSelection;
      /** The selectors that select nothing, as given and in order; `preset:none` is never among them. @spec §4.3 */
      readonly unmatched: readonly string[];
      readonly warning?: LabelsUnavailable;
    }
  | { readonly ok: false; readonly error: UnknownPreset };

/** The selector that means to select nothing. @spec §4.3 */
const MEANS_NOTHING = 'preset:none';

interface SelectorGround extends RuleGround {
  readonly presets: PresetSet;
  readonly selections: Map<string, ToolSelection>;
  readonly within: ToolSelection | undefined;
}

const presetSelection = (name: string, ground: SelectorGround): ToolSelection => {
  const preset = ground.presets.byName.get(name);
  if (preset !== undefined && !ground.selections.has(name))
    resolvePreset(preset, ground.presets, ground, ground.selections);
  return ground.selections.get(name) ?? emptySelection(ground.catalog);
};

/** The result of the selectors so far: single tools and whole selections. */
interface Gathered {
  readonly lists: (readonly CatalogTool[])[];
  readonly selections: ToolSelection[];
}

/** Adds the tools of one selector. Returns whether any of them is in `within`. */
const gather = (
  { kind, name }: Selector,
  ground: SelectorGround,
  { lists, selections }: Gathered,
): boolean => {
  const { within } = ground;
  if (kind === 'preset') {
    const selection = presetSelection(name, ground);
    selections.push(selection);
    return (within === undefined ? selection : intersectionOf(selection, within)).size > 0;
  }
  const selected = toolsOfRule({ kind, name }, ground);
  lists.push(selected);
  return within === undefined ? selected.length > 0 : selected.some((tool) => within.has(tool));
};

const resolveSelectors = (selectors: readonly Selector[], ground: SelectorGround): Resolution => {
  const gathered: Gathered = { lists: [], selections: [] };
  const unmatched: string[] = [];
  for (const selector of selectors)
    if (!gather(selector, ground, gathered) && selector.text !== MEANS_NOTHING)
      unmatched.push(selector.text);
  const direct = selectLists(ground.catalog, gathered.lists);
  const whole = unionOf([direct, ...gathered.selections]);
  const { within } = ground;
  return { selection: within === undefined ? whole : intersectionOf(whole, within), unmatched };
};

/**
 * Resolves a toolset for one caller: the union of what its selectors select, inside `within` when that is given.
 * The same question again, asked of the same catalog, presets and labels, is answered from memory.
 *
 * @spec §2.1, §2.2, §3, §4.3, §7.1
 */
export const resolveToolset = (question: ToolsetQuestion): ResolvedToolset => {
  const error = unknownPresetOf(question.toolset, question.presets);
  if (error !== undefined) return { ok: false, error };
  const { toolset, presets, catalog, within } = question;
  const { labels, warning } = readLabels(question);
  const memo = memoOf(catalog, presets, labels);
  let resolution = memo.recall(toolset.text, within);
  if (resolution === undefined) {
    const { selections } = memo;
    const ground = { catalog, presets, labels: labels ?? NO_LABELS, selections, within };
    resolution = resolveSelectors(toolset.selectors, ground);
    memo.remember(toolset.text, within, resolution);
  }
  return { ok: true, ...resolution, ...(warning === undefined ? {} : { warning }) };
};
