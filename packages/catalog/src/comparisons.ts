/** The comparisons of words that a reader may still make; it counts them down. */
export interface Comparisons {
  left: number;
}

/** Returns whether one more comparison may be made, and counts it. */
export function takeComparison(comparisons: Comparisons): boolean {
  if (comparisons.left <= 0) return false;
  comparisons.left -= 1;
  return true;
}

/**
 * Reads lists of words with a bounded number of comparisons, which is counted down, and returns what was found in the order of the lists. Each
 * list has an equal share, and what short lists leave of theirs goes to the longer ones: many words in one list do not take the comparisons from
 * the others.
 */
export function readInShares<List extends { readonly words: readonly string[] }, T>(
  lists: readonly List[],
  comparisons: Comparisons,
  read: (list: List, share: Comparisons) => readonly T[],
): readonly T[] {
  const byLength = [...lists.entries()].sort(([, a], [, b]) => a.words.length - b.words.length);
  const found: (readonly T[])[] = [];
  for (const [place, [index, list]] of byLength.entries()) {
    const size = Math.floor(comparisons.left / (byLength.length - place));
    const share = { left: size };
    found[index] = read(list, share);
    comparisons.left -= size - share.left;
  }
  return found.flat();
}
