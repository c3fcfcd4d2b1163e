/** Interval of the deadline checks in milliseconds; a deadline is exceeded by at most this. */
const TICK_MS = 50;

/** An item with a deadline. */
export interface Timed {
  /** By `performance.now()`. */
  readonly deadline: number;
  /** Called at each check before the deadline. */
  onTick(): void;
  /** Called after the deadline. */
  onLate(): void;
}

/** Checks deadlines with one timer for all of them, because a timer per request costs more than the request. */
export interface Deadlines {
  /** Starts the timer for a new item. */
  watch(): void;
  stop(): void;
}

/**
 * Returns a watch over the items of `running`; its timer runs only while there are items.
 *
 * @param running returns the items; may change during the iteration
 */
export const createDeadlines = (running: () => Iterable<Timed>): Deadlines => {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    timer = undefined;
    const now = performance.now();
    let some = false;
    for (const timed of running()) {
      if (timed.deadline <= now) timed.onLate();
      else {
        timed.onTick();
        some = true;
      }
    }
    if (some) watch();
  };
  const watch = (): void => {
    timer ??= setTimeout(look, TICK_MS);
  };
  return {
    watch,
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};
