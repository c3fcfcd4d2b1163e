import type { CatalogSnapshot, ToolSelection } from '@gateway/catalog';
import type { PresetSet } from './preset.ts';
import type { ServerLabels } from './rule-tools.ts';

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
export const memoOf = (
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
