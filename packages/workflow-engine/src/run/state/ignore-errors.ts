/** Calls a function and ignores its errors, synchronous or not. */
export const ignoreErrors = (act: () => unknown): void => {
  try {
    void Promise.resolve(act()).catch(() => undefined);
  } catch {
    // The run continues.
  }
};
