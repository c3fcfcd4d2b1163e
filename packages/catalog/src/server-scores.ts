import type { SearchIndex } from './search-index.ts';

/** The share of the mean score of the best tools of a server that all its tools gain, and the number of best tools. */
const SERVER_SHARE = 0.25;
const SERVER_TOOLS = 3;

/** Puts a value in its place among the best ones of a server, which are in descending order from `start` on. */
function insert(best: Float64Array, start: number, value: number): void {
  let rest = value;
  for (let at = start; at < start + SERVER_TOOLS; at += 1) {
    const known = best[at] ?? 0;
    if (rest <= known) continue;
    best[at] = rest;
    rest = known;
  }
}

/** The mean of the best scores of each server, by its number. Missing ones count as 0, so that a server needs several tools that fit. */
function meansOf(scores: Float64Array, { servers, serverCount }: SearchIndex): Float64Array {
  const best = new Float64Array(serverCount * SERVER_TOOLS);
  // Plain loops: entries of an iterator are objects, ten thousand for each query.
  for (let position = 0; position < scores.length; position += 1) {
    const score = scores[position] ?? 0;
    if (score > 0) insert(best, (servers[position] ?? 0) * SERVER_TOOLS, score);
  }
  return Float64Array.from({ length: serverCount }, (_, server) => {
    const own = best.subarray(server * SERVER_TOOLS, (server + 1) * SERVER_TOOLS);
    return own.reduce((sum, score) => sum + score, 0) / SERVER_TOOLS;
  });
}

/** Raises the scores of the tools of a server by what its best ones score: a server that fits is more likely to have the tool that fits. */
export function addServerScores(scores: Float64Array, index: SearchIndex): void {
  const means = meansOf(scores, index);
  for (let position = 0; position < scores.length; position += 1) {
    const score = scores[position] ?? 0;
    const server = index.servers[position] ?? 0;
    if (score > 0 && server > 0) scores[position] = score + SERVER_SHARE * (means[server] ?? 0);
  }
}
