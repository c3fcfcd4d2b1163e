import {
  type CatalogSnapshot,
  type ToolSelection,
  createEmptySelection,
  intersectSelections,
  selectLists,
  uniteSelections,
  type CatalogTool,
} from '@gateway/catalog';
import type { Result, Selector, Toolset } from '@gateway/toolset-grammar';
import type { PresetSet } from './preset.ts';
import type { UnknownPreset } from './preset-error.ts';
import { resolvePreset, listRuleTools } from './preset-selection.ts';

/** The input of the resolution of a toolset. */
export interface ToolsetQuestion {
  readonly toolset: Toolset;
  readonly presets: PresetSet;
  /** The caller's catalog. */
  readonly catalog: CatalogSnapshot;
  /** The selection that the toolset may only narrow: that of the request's header. @spec §4.3 */
  readonly within?: ToolSelection;
}

/** Returns the first selector that names an unknown preset. @spec §7.1 */
const findUnknownPreset = (toolset: Toolset, presets: PresetSet): UnknownPreset | undefined => {
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

export interface Resolution {
  readonly selection: ToolSelection;
  /** The selectors that select nothing, as given and in order; `preset:none` is never among them. @spec §4.3 */
  readonly unmatched: readonly string[];
}

/** Maximum number of cached toolsets per snapshot. */
const MAX_TOOLSETS = 256;

/** The longest toolset that is remembered, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 8192;

/** Cached resolutions of one snapshot under one set of presets. */
class ResolutionMemo {
  readonly presets: PresetSet;
  /** The presets resolved so far, by name. */
  readonly selections = new Map<string, ToolSelection>();
  readonly #toolsets = new Map<
    string,
    { readonly within: ToolSelection | undefined; readonly resolution: Resolution }
  >();

  constructor(presets: PresetSet) {
    this.presets = presets;
  }

  recall(text: string, within: ToolSelection | undefined): Resolution | undefined {
    const found = this.#toolsets.get(text);
    if (found === undefined || found.within !== within) return undefined;
    this.#toolsets.delete(text);
    this.#toolsets.set(text, found);
    return found.resolution;
  }

  remember(text: string, within: ToolSelection | undefined, resolution: Resolution): void {
    if (text.length > MAX_TEXT_LENGTH) return;
    this.#toolsets.delete(text);
    this.#toolsets.set(text, { within, resolution });
    const [oldest] = this.#toolsets.keys();
    if (this.#toolsets.size > MAX_TOOLSETS && oldest !== undefined) this.#toolsets.delete(oldest);
  }
}

const memos = new WeakMap<CatalogSnapshot, ResolutionMemo>();

/** Returns the memo of a snapshot. It starts afresh with other presets, and ends with its snapshot. */
const findMemo = (catalog: CatalogSnapshot, presets: PresetSet): ResolutionMemo => {
  const known = memos.get(catalog);
  if (known?.presets === presets) return known;
  const memo = new ResolutionMemo(presets);
  memos.set(catalog, memo);
  return memo;
};

/** The selection of a toolset for the caller, or the unknown preset that it names. */
export type ResolvedToolset = Result<Resolution, UnknownPreset>;

/** The selector that means to select nothing. @spec §4.3 */
const MEANS_NOTHING = 'preset:none';

interface SelectorGround {
  readonly catalog: CatalogSnapshot;
  readonly presets: PresetSet;
  readonly selections: Map<string, ToolSelection>;
  readonly within: ToolSelection | undefined;
}

const resolvePresetSelection = (name: string, ground: SelectorGround): ToolSelection => {
  const preset = ground.presets.byName.get(name);
  if (preset !== undefined && !ground.selections.has(name))
    resolvePreset(preset, ground.presets, ground.catalog, ground.selections);
  return ground.selections.get(name) ?? createEmptySelection(ground.catalog);
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
    const selection = resolvePresetSelection(name, ground);
    selections.push(selection);
    return (within === undefined ? selection : intersectSelections(selection, within)).size > 0;
  }
  const selected = listRuleTools({ kind, name }, ground.catalog);
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
  const whole = uniteSelections([direct, ...gathered.selections]);
  const { within } = ground;
  return {
    selection: within === undefined ? whole : intersectSelections(whole, within),
    unmatched,
  };
};

/**
 * Resolves a toolset for one caller: the union of what its selectors select, inside `within` when that is given.
 * The same question again, asked of the same catalog and presets, is answered from memory.
 *
 * @spec §2.1, §2.2, §3, §4.3, §7.1
 */
export const resolveToolset = (question: ToolsetQuestion): ResolvedToolset => {
  const error = findUnknownPreset(question.toolset, question.presets);
  if (error !== undefined) return { ok: false, error };
  const { toolset, presets, catalog, within } = question;
  const memo = findMemo(catalog, presets);
  let resolution = memo.recall(toolset.text, within);
  if (resolution === undefined) {
    const { selections } = memo;
    const ground = { catalog, presets, selections, within };
    resolution = resolveSelectors(toolset.selectors, ground);
    memo.remember(toolset.text, within, resolution);
  }
  return { ok: true, value: resolution };
};
