/** Does the work for every item, for at most `atOnce` of them at a time. The results are in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, place: number) => Promise<R>,
): Promise<readonly R[]> {
  const waiting = [...items.entries()];
  const results: R[] = [];
  const next = async (): Promise<void> => {
    for (let taken = waiting.shift(); taken !== undefined; taken = waiting.shift()) {
      const [place, item] = taken;
      results[place] = await work(item, place);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return results;
}
