/**
 * Returns at most `max` items, taken from the groups in turn, in their order: a group with many items displaces none of a group with few.
 *
 * @param groupOf returns the group of an item
 */
export const fairShare = <Item>(
  items: readonly Item[],
  max: number,
  groupOf: (item: Item) => string,
): readonly Item[] => {
  if (items.length <= max) return items;
  const turns = new Map<string, number>();
  const turnOf = (item: Item): number => {
    const turn = turns.get(groupOf(item)) ?? 0;
    turns.set(groupOf(item), turn + 1);
    return turn;
  };
  return items
    .map((item) => ({ item, turn: turnOf(item) }))
    .sort((a, b) => a.turn - b.turn)
    .slice(0, max)
    .map(({ item }) => item);
};
