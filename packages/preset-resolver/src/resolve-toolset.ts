import {
  type CatalogSnapshot,
  type ToolSelection,
  emptySelection,
  intersectionOf,
  selectLists,
  unionOf,
  type CatalogTool,
} from '@gateway/catalog';
import { type Toolset, formatToolset, quoted, type Selector } from '@gateway/toolset-grammar';
import type { PresetSet } from './preset.ts';
import {
  type ServerLabels,
  resolvePreset,
  toolsOfRule,
  type RuleGround,
} from './preset-selection.ts';

/** The labels of the servers could not be read, so that label rules select nothing. */
export interface LabelsUnavailable {
  readonly code: 'labels.unavailable';
  readonly cause: unknown;
}

/** The warning as one sentence for a log. */
export const labelsUnavailableText = ({ cause }: LabelsUnavailable): string =>
  `labels of servers are unavailable, label rules select nothing: ${cause instanceof Error ? cause.message : String(cause)}`;

/** The input of the resolution of a toolset. */
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

/** A toolset names an unknown preset. `known` lists the known presets in the order of `filter_tools`. @spec §7.1 */
export interface UnknownPreset {
  readonly code: 'toolset.unknown-preset';
  readonly toolset: readonly string[];
  readonly preset: string;
  readonly known: readonly string[];
}

/** Returns the first selector that names an unknown preset. @spec §7.1 */
const unknownPresetOf = (toolset: Toolset, presets: PresetSet): UnknownPreset | undefined => {
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

/** The refusal as one sentence. @spec §7.1 */
export const unknownPresetText = ({ toolset, preset, known }: UnknownPreset): string =>
  `toolset ${formatToolset(toolset)} names unknown preset ${quoted(preset)}; known presets: ${known.join(', ')}`;

/** The labels that label rules use when no labels could be read. */
export const NO_LABELS: ServerLabels = new Map();

/** Returns the labels that the rules of a toolset require; none when there is no label rule. */
export interface LabelReading {
  readonly labels?: ServerLabels;
  readonly warning?: LabelsUnavailable;
}

/** Reads the labels, once, and only when a label rule is in use. @spec §2.2 */
export const readLabels = ({
  toolset,
  presets,
  catalog,
  serverLabels,
}: ToolsetQuestion): LabelReading => {
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

/** The tools of a toolset and the selectors without a match. */
export interface Resolution {
  readonly selection: ToolSelection;
  readonly unmatched: readonly string[];
}

/** Cached resolutions of one snapshot under one set of presets and one state of the labels. */
export interface ResolutionMemo {
  /** The presets resolved so far, by name. */
  readonly selections: Map<string, ToolSelection>;
  /** The resolution of a toolset within a selection, by the toolset's text. */
  readonly recall: (text: string, within: ToolSelection | undefined) => Resolution | undefined;
  readonly remember: (
    text: string,
    within: ToolSelection | undefined,
    resolution: Resolution,
  ) => void;
}

/** Maximum number of cached toolsets per snapshot. */
const MAX_TOOLSETS = 256;

/** The longest toolset that is remembered, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 8192;

const newMemo = (): ResolutionMemo => {
  const toolsets = new Map<
    string,
    { readonly within: ToolSelection | undefined; readonly resolution: Resolution }
  >();
  return {
    selections: new Map(),
    recall: (text, within) => {
      const found = toolsets.get(text);
      if (found === undefined || found.within !== within) return undefined;
      toolsets.delete(text);
      toolsets.set(text, found);
      return found.resolution;
    },
    remember: (text, within, resolution) => {
      if (text.length > MAX_TEXT_LENGTH) return;
      toolsets.delete(text);
      toolsets.set(text, { within, resolution });
      const [oldest] = toolsets.keys();
      if (toolsets.size > MAX_TOOLSETS && oldest !== undefined) toolsets.delete(oldest);
    },
  };
};

interface Known {
  readonly presets: PresetSet;
  readonly labels: ServerLabels | undefined;
  readonly memo: ResolutionMemo;
}

const knownOf = new WeakMap<CatalogSnapshot, Known>();

/**
 * The memo of a snapshot. It starts afresh with other presets, and with other labels once a label rule has been resolved;
 * it ends with its snapshot.
 *
 * @param labels the labels that this resolution reads; nothing when no label rule is in use
 */
const memoOf = (
  catalog: CatalogSnapshot,
  presets: PresetSet,
  labels: ServerLabels | undefined,
): ResolutionMemo => {
  const known = knownOf.get(catalog);
  const current = known?.presets === presets ? known : undefined;
  if (current !== undefined && (labels === undefined || current.labels === labels))
    return current.memo;
  const fresh = current === undefined || current.labels !== undefined;
  const memo = fresh ? newMemo() : current.memo;
  knownOf.set(catalog, { presets, labels, memo });
  return memo;
};

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
