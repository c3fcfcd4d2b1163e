/** Lets requests pass, except while they are held. */
export interface RequestGate {
  /** Resolves when the request may be sent. */
  readonly passed: () => Promise<void>;
  /** Holds the requests from now on. Returns the function that lets them pass again. */
  readonly hold: () => () => void;
}

/** Creates a gate that is open. */
export const createRequestGate = (): RequestGate => {
  const holds = new Set<Promise<void>>();
  return {
    passed: async () => {
      while (holds.size > 0) await Promise.all(holds);
    },
    hold: () => {
      let resolve = (): void => undefined;
      const end = new Promise<void>((done) => {
        resolve = done;
      });
      holds.add(end);
      return () => {
        holds.delete(end);
        resolve();
      };
    },
  };
};
