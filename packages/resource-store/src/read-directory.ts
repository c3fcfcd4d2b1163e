import { DirectoryTracker } from './files/directory-tracker.ts';
import type { StoreState } from './store-state.ts';

const AT_ONCE = { debounceMs: 0, graceMs: 0 } as const;
const ATTEMPTS = 10;
const PAUSE_MS = 20;

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS);
  });

/** Looks without patience; again, within bounds, while a file changes under the look. */
export const lookAtOnce = async (tracker: DirectoryTracker): Promise<StoreState> => {
  let look = await tracker.look(AT_ONCE);
  for (let attempt = 1; attempt < ATTEMPTS && look.nextDueAt < Infinity; attempt += 1) {
    await pause();
    look = await tracker.look(AT_ONCE);
  }
  return look.state;
};

/**
 * Reads a configuration directory once, as it is now. What is wrong is in the state: a directory that is missing is
 * one of its `configProblems`.
 *
 * @param options.apiGroup the API group of the resources; `gateway.internal` when absent
 * @spec §1.5
 */
export const readDirectory = (
  directory: string,
  options: { readonly apiGroup?: string } = {},
): Promise<StoreState> =>
  lookAtOnce(new DirectoryTracker({ ...options, directory }, () => performance.now()));
