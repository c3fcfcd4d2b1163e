/** Throws the reason of an aborted signal. */
export const throwReason = ({ reason }: AbortSignal): never => {
  throw reason instanceof Error ? reason : new Error('given up');
};

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

/** Returns a function whose callers share one run of the work, until `pauseMs` milliseconds after its end. */
export const createSharedWork = <T>(
  pauseMs: number,
  work: () => Promise<T>,
): (() => Promise<T>) => {
  let shared: Promise<T> | undefined;
  return () =>
    (shared ??= work().finally(() => {
      setTimeout(() => {
        shared = undefined;
      }, pauseMs).unref();
    }));
};
