import type { RelistPolicy } from '../wire/limits.ts';

/** Combines change notifications into few readings, one at a time. */
export interface RelistSchedule {
  /** Reports a change. */
  notice(): void;
  /** Prevents further readings. */
  stop(): void;
}

/**
 * Returns a schedule that reads soon after a change, once more when changes arrived meanwhile, and never more often than the policy allows.
 *
 * @param read performs one reading; must not reject
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
    // The pause also runs without a notification, so that the next one waits for it.
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
