import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work goes on without a break, in milliseconds. */
const SLICE_MS = 10;

/** Does the work for each item, in order. After each 10 ms of it everything else that waits gets its turn, so that long lists hold up nobody. */
export const inSlices = async <T>(
  items: readonly T[],
  work: (item: T, index: number) => void,
): Promise<void> => {
  let since = performance.now();
  for (const [index, item] of items.entries()) {
    work(item, index);
    if (performance.now() - since < SLICE_MS) continue;
    await nextTurn();
    since = performance.now();
  }
};
