import type { CatalogSnapshot, ToolSelection } from '@gateway/catalog';
import type { Toolset } from '@gateway/toolset-grammar';
import type { PresetSet } from './preset.ts';
import type { ServerLabels } from './rule-tools.ts';

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
