import type { CatalogTool } from './catalog-tool.ts';

/** A tool that a query found. */
export interface RankedTool {
  readonly tool: CatalogTool;
  /** Higher is better; four decimals, at least 0.0001. Comparable within one answer only. */
  readonly score: number;
}
