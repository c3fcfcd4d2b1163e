import type { CatalogTool } from './catalog-tool.ts';
import { NAME_HIT_SCORE } from './name-hits.ts';
import type { RankedTool } from './ranked-tool.ts';

/** The constant of reciprocal rank fusion: the greater, the less the first places count compared with the next ones. */
const RANK_CONSTANT = 60;

/** Units per score of 1. */
const SCORE_UNITS = 10_000;

const shareOf = (rank: number): number => 1 / (RANK_CONSTANT + rank + 1);

/**
 * Fuses two rankings by reciprocal rank: a tool scores the sum of 1/(60 + its place) in each. Tools whose names are or begin with the query stay
 * first. Equal scores are in catalog order.
 *
 * @param nearest the second ranking, best first
 * @param candidates the tools that are returned
 */
export function fuseRankings(
  ranked: readonly RankedTool[],
  nearest: readonly CatalogTool[],
  candidates: ReadonlySet<CatalogTool>,
): readonly RankedTool[] {
  const shares = new Map<CatalogTool, number>();
  for (const [rank, { tool, score }] of ranked.entries()) {
    shares.set(tool, shareOf(rank) + (score >= NAME_HIT_SCORE ? 1 : 0));
  }
  for (const [rank, tool] of nearest.filter((one) => candidates.has(one)).entries()) {
    shares.set(tool, (shares.get(tool) ?? 0) + shareOf(rank));
  }
  return [...shares]
    .map(([tool, share]) => ({ tool, score: Math.round(share * SCORE_UNITS) / SCORE_UNITS, share }))
    .sort((a, b) => b.share - a.share || a.tool.position - b.tool.position)
    .map(({ tool, score }) => ({ tool, score: Math.max(1 / SCORE_UNITS, score) }));
}
