import type { RelistPolicy } from '../wire/limits.ts';

/** Turns any number of change notices into few readings, never two at once. */
export interface RelistSchedule {
  /** Something changed. */
  notice(): void;
  /** No reading starts any more. */
  stop(): void;
}

/**
 * A schedule that reads soon after a change, once more if changes came meanwhile, and never more often than the policy allows.
 *
 * @param read one reading; must not reject
 */
export const createRelistSchedule = (
  policy: RelistPolicy,
  read: () => Promise<void>,
): RelistSchedule => {
  let timer: NodeJS.Timeout | undefined;
  let reading = false;
  let noticed = false;
  let stopped = false;
  const plan = (delayMs: number): void => {
    if (stopped || reading || timer !== undefined) return;
    timer = setTimeout(() => void run(), delayMs);
    timer.unref();
  };
  const run = async (): Promise<void> => {
    timer = undefined;
    noticed = false;
    reading = true;
    await read();
    reading = false;
    // The pause runs even without a notice, so that the next one waits for it.
    if (!stopped) {
      timer = setTimeout(afterPause, policy.minIntervalMs);
      timer.unref();
    }
  };
  const afterPause = (): void => {
    timer = undefined;
    if (noticed) plan(0);
  };
  return {
    notice() {
      noticed = true;
      plan(policy.debounceMs);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
};
