/** The first line of an error that nothing caught, before its stack. */
const ERROR_HEAD = /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: \S/;
/** What Node ends with after such an error; it says nothing of the cause. */
const NODE_FOOTER = /^Node\.js v\d/;
/** Other lines that come after what matters. */
const TRAILING_LINES = [
  /^\(Use `node --trace-/,
  /^npm (?:error|ERR!) A complete log of this run/,
  /^npm (?:error|ERR!|notice|warn)?\s*$/,
  /^npm notice /,
  /^[\s{}[\]()^~]*$/,
];

/** What a program said before it ended. */
export interface ExitReason {
  /**
   * @param raw the line as the program wrote it
   * @param shown the same for people
   */
  addLine(raw: string, shown: string): void;
  /** The line that says text: the last one, or for a program of Node that threw the first line of its error. */
  text(): string | undefined;
}

/** Listens to the lines of a program that may end; keeps two of them. */
export const createExitReason = (): ExitReason => {
  let last: string | undefined;
  let error: string | undefined;
  let thrown: string | undefined;
  return {
    addLine: (raw, shown) => {
      const line = raw.trimEnd();
      if (NODE_FOOTER.test(line)) {
        thrown = error ?? last;
        return;
      }
      if (TRAILING_LINES.some((afterword) => afterword.test(line))) return;
      thrown = undefined;
      if (ERROR_HEAD.test(line)) error = shown;
      last = shown;
    },
    text: () => thrown ?? last,
  };
};
