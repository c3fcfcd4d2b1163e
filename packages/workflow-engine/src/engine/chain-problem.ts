/**
 * Returns the reason that a workflow must not run inside the workflows that run already, with all of them in the text.
 * @param chain the workflows that run, outermost first; the last one is the workflow to start
 */
export const chainProblem = (chain: readonly string[], maxDepth: number): string | undefined => {
  const last = chain.length - 1;
  const path = chain.join(' -> ');
  if (chain.indexOf(chain[last] ?? '') < last) return `workflow calls itself: ${path}`;
  if (chain.length <= maxDepth) return undefined;
  return `workflows are nested more than ${maxDepth} deep: ${path}`;
};
