/** Holds back a notice until its receiver exists. */
export interface MissedNotices {
  notice(): void;
  /** Delivers the notice that was held back, and all further ones. */
  follow(receiver: () => void): void;
}

/** Returns notices without a receiver. */
export const createMissedNotices = (): MissedNotices => {
  let isMissed = false;
  let receiver: (() => void) | undefined;
  return {
    notice() {
      isMissed = true;
      receiver?.();
    },
    follow(next) {
      receiver = next;
      if (isMissed) next();
    },
  };
};
