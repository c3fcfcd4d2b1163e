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
export interface LookBounds {
  readonly looks: number;
  /** Of these, looks that ask the name service. */
  readonly lookups: number;
}

const DEFAULT_LOOKS: LookBounds = { looks: 8, lookups: 1 };

/** Servers that failed together are not looked for together: each interval is up to this much shorter or longer. */
const SPREAD = 0.25;

interface Line {
  free: number;
  readonly waiting: Set<() => void>;
}

/** Lets one look after the other through, in order of arrival. */
const through = async (line: Line, look: () => Promise<boolean>): Promise<boolean> => {
  if (line.free === 0) await new Promise<void>((resolve) => line.waiting.add(resolve));
  else line.free -= 1;
  try {
    return await look();
  } finally {
    const [next] = line.waiting;
    if (next === undefined) line.free += 1;
    else {
      line.waiting.delete(next);
      next();
    }
  }
};

/** Nothing is looked for yet. However many dependencies are missing, few are looked for at once. */
export const createDependencyWatch = (
  random: () => number,
  look: (dependency: Dependency) => Promise<boolean> = isAvailable,
  bounds: LookBounds = DEFAULT_LOOKS,
): DependencyWatch => {
  const quick: Line = { free: bounds.looks - bounds.lookups, waiting: new Set() };
  const slow: Line = { free: bounds.lookups, waiting: new Set() };
  return {
    watch(dependency, everyMs, onAppeared) {
      const line = needsLookup(dependency) ? slow : quick;
      let timer: NodeJS.Timeout | undefined;
      let stopped = false;
      const plan = (): void => {
        timer = setTimeout(() => void run(), everyMs * (1 - SPREAD + 2 * SPREAD * random()));
        timer.unref();
      };
      const run = async (): Promise<void> => {
        const isThere = await through(line, () =>
          stopped ? Promise.resolve(false) : look(dependency),
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
