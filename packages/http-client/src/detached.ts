/** Calls a handler whose error must not stop the caller. The error is thrown again outside of it, as an uncaught one. */
export const detached = (call: () => void): void => {
  try {
    call();
  } catch (error) {
    process.nextTick(() => {
      throw error;
    });
  }
};
