import { isAvailable, needsLookup } from './dependency.ts';
import type { Dependency } from './dependency.ts';

/** Checks for missing dependencies at intervals. */
export interface DependencyWatch {
  /**
   * Calls back once when the dependency exists.
   *
   * @returns the function that stops the checks
   */
  watch(dependency: Dependency, everyMs: number, onAppeared: () => void): () => void;
}

/** Maximum numbers of concurrent checks. */
export interface CheckBounds {
  readonly checks: number;
  /** Of these, checks that query the name service. */
  readonly lookups: number;
}

const DEFAULT_CHECKS: CheckBounds = { checks: 8, lookups: 1 };

/** Random variation of each interval, so that servers that failed together are not checked together. */
const SPREAD = 0.25;

interface Queue {
  free: number;
  readonly waiting: Set<() => void>;
}

/** Runs one check after the other, in order of arrival. */
const runInQueue = async (queue: Queue, check: () => Promise<boolean>): Promise<boolean> => {
  if (queue.free === 0) await new Promise<void>((resolve) => queue.waiting.add(resolve));
  else queue.free -= 1;
  try {
    return await check();
  } finally {
    const [next] = queue.waiting;
    if (next === undefined) queue.free += 1;
    else {
      queue.waiting.delete(next);
      next();
    }
  }
};

/** Returns a watch without dependencies. Few checks run concurrently, however many dependencies are missing. */
export const createDependencyWatch = (
  random: () => number,
  check: (dependency: Dependency) => Promise<boolean> = isAvailable,
  bounds: CheckBounds = DEFAULT_CHECKS,
): DependencyWatch => {
  const quick: Queue = { free: bounds.checks - bounds.lookups, waiting: new Set() };
  const slow: Queue = { free: bounds.lookups, waiting: new Set() };
  return {
    watch(dependency, everyMs, onAppeared) {
      const queue = needsLookup(dependency) ? slow : quick;
      let timer: NodeJS.Timeout | undefined;
      let stopped = false;
      const plan = (): void => {
        timer = setTimeout(() => void run(), everyMs * (1 - SPREAD + 2 * SPREAD * random()));
        timer.unref();
      };
      const run = async (): Promise<void> => {
        const isThere = await runInQueue(queue, () =>
          stopped ? Promise.resolve(false) : check(dependency),
        );
        if (stopped) return;
        if (isThere) onAppeared();
        else plan();
      };
      plan();
      return () => {
        stopped = true;
        clearTimeout(timer);
      };
    },
  };
};
