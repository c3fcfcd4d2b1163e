import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
// eslint-disable-next-line no-restricted-imports -- the text is a constant; the function of V8 appears in new contexts only
import { runInNewContext } from 'node:vm';

/** The interval of the checks of a process, in milliseconds. V8 returns memory only when little was allocated for 5 s. */
const CHECK_MS = 10_000;
/** The share of time up to which an event loop is at rest. */
const REST_SHARE = 0.02;
/** The size from which a young generation is worth a collection, in bytes. */
const LARGE_BYTES = 8 * 1024 * 1024;
/** The maximum number of collections in one time of rest. V8 may need two: it counts what was allocated between them. */
const MAX_COLLECTIONS = 3;

type CollectYoung = (options: { readonly type: 'minor' }) => void;

/** Returns the function of V8 that `--expose-gc` adds to new contexts. */
const exposedCollection = (): CollectYoung => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as CollectYoung;
  setFlagsFromString('--no-expose-gc');
  return collect;
};

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;

/**
 * Makes V8 return the memory of its young generation to the system while the process is at rest, which it does by itself only in a collection that
 * happens to start then. Requests let the generation grow again.
 */
export const returnMemoryAtRest = (): void => {
  let usage = performance.eventLoopUtilization();
  let collections = 0;
  const check = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, usage);
    usage = now;
    if (utilization > REST_SHARE) collections = 0;
    else if (collections < MAX_COLLECTIONS && youngBytes() >= LARGE_BYTES) {
      collections += 1;
      exposedCollection()({ type: 'minor' });
    }
  };
  setInterval(check, CHECK_MS).unref();
};
