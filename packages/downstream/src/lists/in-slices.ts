import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum duration of one slice, in milliseconds. */
const SLICE_MS = 5;

/** Processes the items in order and yields to the event loop every 5 ms, so that long lists do not delay other requests. */
export const inSlices = async <T>(
  items: Iterable<T>,
  work: (item: T, index: number) => void,
): Promise<void> => {
  let since = performance.now();
  let index = 0;
  for (const item of items) {
    work(item, index);
    index += 1;
    if (performance.now() - since < SLICE_MS) continue;
    await nextTurn();
    since = performance.now();
  }
};
