import { setTimeout as pause } from 'node:timers/promises';
import type { StoreState } from '../port/state.ts';
import { DirectoryTracker } from './tracking/directory-tracker.ts';

const IMMEDIATE = { debounceMs: 0, graceMs: 0 } as const;
const ATTEMPTS = 10;
const PAUSE_MS = 20;

/** Scans without waiting; repeats a bounded number of times while files change during the scan. */
export const readUntilSettled = async (tracker: DirectoryTracker): Promise<StoreState> => {
  let scan = await tracker.scan(IMMEDIATE);
  for (let attempt = 1; attempt < ATTEMPTS && scan.nextDueAt < Infinity; attempt += 1) {
    await pause(PAUSE_MS);
    scan = await tracker.scan(IMMEDIATE);
  }
  return scan.state;
};

/**
 * Reads a configuration directory once. Problems are in the state: a missing directory is one of its `configProblems`.
 *
 * @param options.apiGroup the API group of the resources; `gateway.internal` when absent
 * @spec §1.5
 */
export const readDirectory = (
  directory: string,
  options: { readonly apiGroup?: string } = {},
): Promise<StoreState> =>
  readUntilSettled(new DirectoryTracker({ ...options, directory }, () => performance.now()));
