import { onTestFinished, vi } from 'vitest';

/**
 * Replaces the clock of this process until the end of the test, before a gateway starts. Returns a function that moves it forward, in seconds.
 * Signatures are still checked with the real time, so that tokens of the future and of the past are accepted.
 */
export const movedClock = (): ((seconds: number) => void) => {
  let ahead = 0;
  const { now } = Date;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  onTestFinished(() => clock.mockRestore());
  return (seconds) => {
    ahead += seconds * 1000;
  };
};
