/** Does something that nobody waits for. What it throws, now or later, is not the run's. */
export const ignoreErrors = (act: () => unknown): void => {
  try {
    void Promise.resolve(act()).catch(() => undefined);
  } catch {
    // The run goes on.
  }
};
