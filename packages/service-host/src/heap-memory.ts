import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
// eslint-disable-next-line no-restricted-imports -- the text is a constant; the function of V8 appears in new contexts only
import { runInNewContext } from 'node:vm';

/** The interval of the checks of a process, in milliseconds. V8 returns memory only when little was allocated for 5 s. */
const CHECK_MS = 10_000;
/** The event-loop utilization up to which the process is idle. */
const MAX_IDLE_UTILIZATION = 0.02;
/** The minimum size of the young generation for a collection, in bytes. */
const MIN_YOUNG_BYTES = 8 * 1024 * 1024;
/** The maximum number of collections in one idle period. V8 may need two. */
const MAX_COLLECTIONS = 3;

type CollectYoung = (options: { readonly type: 'minor' }) => void;

/** Returns the function of V8 that `--expose-gc` adds to new contexts. */
const createHeapCollector = (): CollectYoung => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as CollectYoung;
  setFlagsFromString('--no-expose-gc');
  return collect;
};

const readYoungBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

/**
 * Makes V8 return the memory of its young generation to the system while the process is idle, which it otherwise does only in a collection that
 * happens to start then. Requests let the generation grow again.
 */
export const returnIdleMemory = (): void => {
  let usage = performance.eventLoopUtilization();
  let collections = 0;
  const check = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, usage);
    usage = now;
    if (utilization > MAX_IDLE_UTILIZATION) collections = 0;
    else if (collections < MAX_COLLECTIONS && readYoungBytes() >= MIN_YOUNG_BYTES) {
      collections += 1;
      createHeapCollector()({ type: 'minor' });
    }
  };
  setInterval(check, CHECK_MS).unref();
};
