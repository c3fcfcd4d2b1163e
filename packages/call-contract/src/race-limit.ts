/** The limits of a wait, which ends at the first limit. */
export interface WaitLimit {
  /** Maximum time in milliseconds. */
  readonly ms?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Settles like `work`, or with the result of `onLimit` after a timeout or an abort. Does not stop the work.
 *
 * @param onLimit may throw, which rejects the promise
 */
export const raceLimit = async <T, L = T>(
  work: Promise<T>,
  { ms, signal }: WaitLimit,
  onLimit: () => L,
): Promise<T | L> => {
  let giveUp: () => void = () => undefined;
  const limit = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  // eslint-disable-next-line no-restricted-globals -- a wait with a limit needs a timer
  const timer = ms === undefined ? undefined : setTimeout(giveUp, ms);
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted === true) giveUp();
  try {
    return await Promise.race([work, limit.then(onLimit)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
};

/** Resolves to true when `work` resolves within `ms` milliseconds and before the signal aborts. */
export const isResolvedWithin = (
  work: Promise<unknown>,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> =>
  raceLimit(
    work.then(() => true),
    { ms, signal },
    () => false,
  );
