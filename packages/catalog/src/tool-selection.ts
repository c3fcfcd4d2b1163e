import type { CatalogTool } from './catalog-tool.ts';
import type { CatalogSnapshot } from './snapshot.ts';

/**
 * A set of tools of one snapshot, kept as one bit per catalog position, so that unions, differences and
 * listings in catalog order need no hashing and no sorting.
 */
export interface ToolSelection {
  readonly snapshot: CatalogSnapshot;
  /** How many tools are selected. */
  readonly size: number;
  has(tool: CatalogTool): boolean;
  /** The selected tools in catalog order; computed once. */
  readonly tools: readonly CatalogTool[];
  /** Whether the server provides at least one selected tool. @spec §4.2 */
  hasServer(server: string): boolean;
}
