import {
  emptySelection,
  intersectionOf,
  selectLists,
  unionOf,
  type CatalogSnapshot,
  type CatalogTool,
  type ToolSelection,
} from '@gateway/catalog';
import type { Selector, Toolset } from '@gateway/toolset-grammar';
import type { LabelsUnavailable } from './labels-unavailable.ts';
import { resolvePreset } from './preset-selection.ts';
import type { PresetSet } from './preset.ts';
import { memoOf, type Resolution } from './resolution-memo.ts';
import { toolsOfRule, type RuleGround, type ServerLabels } from './rule-tools.ts';
import type { UnknownPreset } from './unknown-preset.ts';

/** What a toolset is resolved against. */
export interface ToolsetQuestion {
  readonly toolset: Toolset;
  readonly presets: PresetSet;
  /** The caller's catalog. */
  readonly catalog: CatalogSnapshot;
  /** The selection that the toolset may only narrow: that of the request's header. @spec §4.3 */
  readonly within?: ToolSelection;
  /**
   * The labels of the servers as they are now, by default those of the catalog. Asked once, and only when a label rule
   * is in use. The same map again means "unchanged".
   */
  readonly serverLabels?: () => ServerLabels;
}

/** What a toolset selects for the caller, or that it names a preset which nobody knows. */
export type ResolvedToolset =
  | {
      readonly ok: true;
      readonly selection: ToolSelection;
      /** The selectors that select nothing, as given and in order; `preset:none` is never among them. @spec §4.3 */
      readonly unmatched: readonly string[];
      readonly warning?: LabelsUnavailable;
    }
  | { readonly ok: false; readonly error: UnknownPreset };

const NO_LABELS: ServerLabels = new Map();

/** The selector that means to select nothing. @spec §4.3 */
const MEANS_NOTHING = 'preset:none';

interface LabelReading {
  readonly labels?: ServerLabels;
  readonly warning?: LabelsUnavailable;
}

const readLabels = ({ toolset, presets, catalog, serverLabels }: ToolsetQuestion): LabelReading => {
  const inUse = toolset.selectors.some(
    ({ kind, name }) => kind === 'preset' && presets.usingLabels.has(name),
  );
  if (!inUse) return {};
  if (serverLabels === undefined) return { labels: catalog.serverLabels };
  try {
    return { labels: serverLabels() };
  } catch (cause) {
    return { labels: NO_LABELS, warning: { code: 'labels.unavailable', cause } };
  }
};

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

/** What selectors select so far: tools still to be marked, and whole selections. */
interface Gathered {
  readonly lists: (readonly CatalogTool[])[];
  readonly selections: ToolSelection[];
}

/** Adds what one selector selects, and says whether that is anything inside `within`. */
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

const unknownPresetOf = ({ toolset, presets }: ToolsetQuestion): UnknownPreset | undefined => {
  const unknown = toolset.selectors.find(
    ({ kind, name }) => kind === 'preset' && !presets.byName.has(name),
  );
  return (
    unknown && {
      code: 'toolset.unknown-preset',
      toolset: toolset.selectors.map(({ text }) => text),
      preset: unknown.name,
      known: [...presets.byName.keys()],
    }
  );
};

/**
 * Resolves a toolset for one caller: the union of what its selectors select, inside `within` when that is given.
 * The same question again, asked of the same catalog, presets and labels, is answered from memory.
 *
 * @spec §2.1, §2.2, §3, §4.3, §7.1
 */
export const resolveToolset = (question: ToolsetQuestion): ResolvedToolset => {
  const error = unknownPresetOf(question);
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
