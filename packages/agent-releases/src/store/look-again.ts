/** Waits before an object is read again. */
export type Wait = (milliseconds: number) => Promise<void>;

/** Flux needs about a second for the removal of an agent. A caller waits at most five. */
const LOOKS = 20;
const PAUSE_MS = 250;

/**
 * Looks until there is a result, with pauses, for at most five seconds. Looks only once when nothing can wait.
 * @returns undefined when there is none
 */
export const lookAgain = async <T>(
  wait: Wait | undefined,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  for (let looks = 1; ; looks += 1) {
    const result = await look();
    if (result !== undefined || wait === undefined || looks >= LOOKS) return result;
    await wait(PAUSE_MS);
  }
};
