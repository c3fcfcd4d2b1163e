/** Repeats the attempt until it stops throwing; throws its last error after `withinMs`. */
export async function retryAssertion<T>(
  attempt: () => T | Promise<T>,
  withinMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }
}
