/** Returns the result of a step of the code cache, or undefined when it fails: no failure there may change how a program runs. */
export function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
