import { isAvailable, needsLookup } from './dependency.ts';
import type { Dependency } from './dependency.ts';

/** Looks for what is missing, at intervals. */
export interface DependencyWatch {
  /**
   * Calls back once when the dependency is there.
   *
   * @returns the way to stop looking
   */
  watch(dependency: Dependency, everyMs: number, onAppeared: () => void): () => void;
}

/** Looks under way at once. */
export interface CheckBounds {
  readonly checks: number;
  /** Of these, checks that ask the name service. */
  readonly lookups: number;
}

const DEFAULT_CHECKS: CheckBounds = { checks: 8, lookups: 1 };

/** Servers that failed together are not looked for together: each interval is up to this much shorter or longer. */
const SPREAD = 0.25;

interface Queue {
  free: number;
  readonly waiting: Set<() => void>;
}

/** Lets one check after the other runInQueue, in order of arrival. */
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

/** Nothing is looked for yet. However many dependencies are missing, few are looked for at once. */
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
