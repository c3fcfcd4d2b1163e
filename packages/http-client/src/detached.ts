/** Calls a handler whose error must not stop the caller. The error is thrown again where nobody catches it. */
export const detached = (call: () => void): void => {
  try {
    call();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
};
