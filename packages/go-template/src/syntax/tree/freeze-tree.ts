/** Freezes a parsed tree with everything in it, and returns it. Members of maps and sets are left as they are. */
export const freezeTree = <Tree>(tree: Tree): Tree => {
  if (typeof tree !== 'object' || tree === null || Object.isFrozen(tree)) return tree;
  Object.freeze(tree);
  for (const member of Object.values(tree)) freezeTree(member);
  return tree;
};
