import type { ToolSelection } from '@gateway/catalog';
import type { Toolset } from '@gateway/toolset-grammar';

/** The part of the catalog that a toolset selects. @spec §4.1 */
export interface RequestScope {
  readonly toolset: Toolset;
  readonly selection: ToolSelection;
  /** The selectors that select nothing, as given and in order. */
  readonly unmatched: readonly string[];
}
