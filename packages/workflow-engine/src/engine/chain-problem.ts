/**
 * Returns the reason that a workflow must not run inside the workflows that run already, with all of them in the text.
 * @param chain the workflows that run, outermost first, and the one that is to run last
 */
export const chainProblem = (chain: readonly string[], maxDepth: number): string | undefined => {
  const last = chain.length - 1;
  const way = chain.join(' -> ');
  if (chain.indexOf(chain[last] ?? '') < last) return `workflow calls itself: ${way}`;
  if (chain.length <= maxDepth) return undefined;
  return `workflows are nested more than ${maxDepth} deep: ${way}`;
};
