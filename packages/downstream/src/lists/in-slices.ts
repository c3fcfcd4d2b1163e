import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum duration of one slice, in milliseconds. */
const SLICE_MS = 10;

/** Processes the items in order and yields to the event loop every 10 ms, so that long lists do not delay other requests. */
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
