import type { ToolSelection } from '@gateway/catalog';
import type { Toolset } from '@gateway/toolset-grammar';

/** What a toolset narrows the catalog to. @spec §4.1 */
export interface RequestScope {
  readonly toolset: Toolset;
  readonly selection: ToolSelection;
}
