/** One look at all running requests per this many milliseconds; a deadline is missed by no more. */
const TICK_MS = 50;

/** Something with a deadline. */
export interface Timed {
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  /** Looked at while it runs. */
  onTick(): void;
  /** The deadline has passed. */
  onLate(): void;
}

/** Watches deadlines with one timer for all of them: a timer for each request costs more than the request. */
export interface Deadlines {
  /** Something new is to be watched. */
  watch(): void;
  stop(): void;
}

/**
 * A watch over whatever `running` lists; its timer runs only while there is something.
 *
 * @param running may change while it is gone through
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
