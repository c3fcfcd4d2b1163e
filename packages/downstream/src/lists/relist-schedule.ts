import { backoffDelayMs } from '../wire/backoff.ts';
import type { BackoffPolicy, RelistPolicy } from '../wire/limits.ts';
import type { ListReading, ServerListReader } from './server-lists.ts';

/** Combines change notifications into few readings, one at a time. */
export interface RelistSchedule {
  /** Reports a change. */
  notice(): void;
  /** Prevents further readings. */
  stop(): void;
}

/** The delays of a schedule. */
export interface RelistDelays {
  readonly relist: RelistPolicy;
  /** Of the lists that could not be read. */
  readonly backoff: BackoffPolicy;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
}

/** The reader of the lists of one connection, with the bound of a reading. */
export type ListsOfConnection = Pick<ServerListReader, 'isIncomplete'> & {
  readonly read: (which: 'all' | 'unread') => Promise<ListReading>;
};

/** A reading of this many characters takes less than 0.1 ms, so a pause of 1 ms bounds the load of long lists. */
const CHARS_PER_MS = 4_096;
/** Maximum pause after a reading because of its size, in milliseconds. */
const MAX_PAUSE_MS = 30_000;

/**
 * Returns a schedule that reads soon after a change, once more when changes arrived meanwhile, and never more often than the policy and the
 * length of the lists allow. Lists that could not be read are read again with a growing delay.
 *
 * @param take receives each reading; must not reject
 */
export const createRelistSchedule = (
  { relist, backoff, random }: RelistDelays,
  reader: ListsOfConnection,
  take: (reading: ListReading) => Promise<void>,
): RelistSchedule => {
  let timer: NodeJS.Timeout | undefined;
  let retryTimer: NodeJS.Timeout | undefined;
  let isReading = false;
  let isNoticed = false;
  let isRetryDue = false;
  let failures = 0;
  let isStopped = false;
  const plan = (delayMs: number): void => {
    if (isStopped || isReading || timer !== undefined) return;
    timer = setTimeout(() => void run(), delayMs);
    timer.unref();
  };
  const planRetry = (): void => {
    clearTimeout(retryTimer);
    failures = reader.isIncomplete ? failures + 1 : 0;
    if (failures === 0) return;
    const due = (): void => {
      isRetryDue = true;
      plan(0);
    };
    retryTimer = setTimeout(due, backoffDelayMs(backoff, failures, random()));
    retryTimer.unref();
  };
  const run = async (): Promise<void> => {
    timer = undefined;
    const which = isNoticed ? 'all' : 'unread';
    isNoticed = false;
    isRetryDue = false;
    isReading = true;
    const reading = await reader.read(which);
    await take(reading);
    isReading = false;
    if (isStopped) return;
    planRetry();
    // The pause also runs without a notification, so that the next one waits for it.
    const sizeMs = Math.min(reading.chars / CHARS_PER_MS, MAX_PAUSE_MS);
    timer = setTimeout(afterPause, Math.max(relist.minIntervalMs, sizeMs));
    timer.unref();
  };
  const afterPause = (): void => {
    timer = undefined;
    if (isNoticed || isRetryDue) plan(0);
  };
  planRetry();
  return {
    notice() {
      isNoticed = true;
      plan(relist.debounceMs);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
      clearTimeout(retryTimer);
    },
  };
};
