import type { CatalogTool } from '../answers/catalog-tool.ts';
import { reasonOf, type ToolReason } from './explanation-text.ts';
import type { Explanation } from './explanation.ts';

/** The tools of a comparison that are shown. `different`: in one toolset only. `left-out`: taken out by a rule of one of them. */
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
  readonly tool: CatalogTool;
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
 * @param tools the catalog of the person
 * @returns the tools of the view, in the order of the catalog
 */
export const compareToolsets = (
  tools: readonly CatalogTool[],
  explanations: readonly Explanation[],
  view: ComparisonView,
): readonly ComparedTool[] =>
  tools
    .map((tool) => ({
      tool,
      reasons: explanations.map((explanation) => reasonOf(explanation, tool.name)),
    }))
    .filter(({ reasons }) => isShown(reasons, view));
