/** Rejects with the signal's reason when it is aborted. Never resolves. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('given up'));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });

/** Runs work with a signal that is aborted with its parent, or with the error `late` after `ms` milliseconds. */
export const withTimeLimit = async <T>(
  ms: number,
  late: string,
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new Error(late)), ms);
  try {
    return await work(AbortSignal.any([parent, limit.signal]));
  } finally {
    clearTimeout(timer);
  }
};

/** Resolves with whether `promise` resolved within `ms` milliseconds and before the signal was aborted. */
export const resolvesWithin = async (
  promise: Promise<unknown>,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> => {
  let giveUp: () => void = () => undefined;
  const late = new Promise<false>((resolve) => {
    giveUp = () => resolve(false);
  });
  const timer = setTimeout(giveUp, ms);
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted === true) giveUp();
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
};

/** Returns a function whose callers share one run of the work, until `pauseMs` milliseconds after its end. */
export const shareFor = <T>(pauseMs: number, work: () => Promise<T>): (() => Promise<T>) => {
  let shared: Promise<T> | undefined;
  return () =>
    (shared ??= work().finally(() => {
      setTimeout(() => {
        shared = undefined;
      }, pauseMs).unref();
    }));
};
