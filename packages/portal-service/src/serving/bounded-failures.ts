/** Lines with one sentence that are written in a minute. */
const MAX_LINES = 10;
const WINDOW_MS = 60_000;
/** Sentences that are counted at the same time. */
const MAX_SENTENCES = 100;

interface Window {
  readonly since: number;
  readonly lines: number;
}

/**
 * Returns a function that writes each sentence 10 times a minute at most, so that requests of strangers cannot fill the log. The last line
 * says that further ones are left out.
 */
export const boundedFailures = (
  write: (sentence: string) => void,
  now: () => number,
): ((sentence: string) => void) => {
  const windows = new Map<string, Window>();
  return (sentence) => {
    const time = now();
    const known = windows.get(sentence);
    const window =
      known === undefined || time - known.since >= WINDOW_MS ? { since: time, lines: 0 } : known;
    if (known === undefined && windows.size >= MAX_SENTENCES) windows.clear();
    const lines = window.lines + 1;
    windows.set(sentence, { ...window, lines });
    if (lines < MAX_LINES) write(sentence);
    else if (lines === MAX_LINES) write(`${sentence}; further ones are not logged for a minute`);
  };
};
