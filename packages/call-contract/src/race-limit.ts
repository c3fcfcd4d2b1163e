/** The end of a wait: the first of these. */
export interface WaitLimit {
  /** Maximum time in milliseconds. */
  readonly ms?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Settles as `work` does, or with the result of `onLimit` when the time is over or the signal aborts. The work goes on.
 *
 * @param onLimit may throw, which rejects
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

/** Resolves with whether `work` resolved within `ms` milliseconds and before the signal was aborted. */
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
