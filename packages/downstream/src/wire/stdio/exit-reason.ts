/** The first line of an uncaught error, before its stack. */
const ERROR_HEAD = /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: \S/;
/** The line with which Node.js ends after such an error; it does not contain the cause. */
const NODE_FOOTER = /^Node\.js v\d/;
/** Other lines that follow the relevant one. */
const TRAILING_LINES = [
  /^\(Use `node --trace-/,
  /^npm (?:error|ERR!) A complete log of this run/,
  /^npm (?:error|ERR!|notice|warn)?\s*$/,
  /^npm notice /,
  /^[\s{}[\]()^~]*$/,
];

/** The reason why a program ended, from its output. */
export interface ExitReason {
  /**
   * @param raw the line as the program wrote it
   * @param shown the line for people
   */
  addLine(raw: string, shown: string): void;
  /** Returns the relevant line: the last one, or the first line of the error for a Node.js program that threw. */
  text(): string | undefined;
}

/** Returns an empty exit reason. It retains at most three lines. */
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
