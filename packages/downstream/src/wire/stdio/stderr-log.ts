import { createLineSplitter, decodeText } from '@gateway/mcp-wire';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { DownstreamLog } from '../log-event.ts';
import { formatIndentedLine, formatSafeLine, withoutFolders } from '../reason.ts';
import { readPaced, type InputBudget } from '../input-budget.ts';

const ERROR_HEAD = /^(?:Uncaught )?(?:[A-Z]\w*)?(?:Error|Exception)(?: \[\w+\])?: \S/;
/** The line with which Node.js ends after such an error; it does not contain the cause. */
const NODE_FOOTER = /^Node\.js v\d/;
const TRAILING_LINES = [
  /^\(Use `node --trace-/,
  /^npm (?:error|ERR!) A complete log of this run/,
  /^npm (?:error|ERR!|notice|warn)?\s*$/,
  /^npm notice /,
  /^[\s{}[\]()^~]*$/,
];

/** The reason why a program ended, from its output. Retains at most three lines. */
export class ExitReason {
  #last: string | undefined;
  #error: string | undefined;
  #thrown: string | undefined;

  /** The relevant line: the last one, or the first line of the error for a Node.js program that threw. */
  get text(): string | undefined {
    return this.#thrown ?? this.#last;
  }

  addLine(raw: string, shown: string): void {
    const line = raw.trimEnd();
    if (NODE_FOOTER.test(line)) {
      this.#thrown = this.#error ?? this.#last;
      return;
    }
    if (TRAILING_LINES.some((trailing) => trailing.test(line))) return;
    this.#thrown = undefined;
    if (ERROR_HEAD.test(line)) this.#error = shown;
    this.#last = shown;
  }
}

/** Returns a line of a starting program as a terminal shows it, in at most 300 characters without credentials and directories. */
export const formatProgressLine = (raw: string, secrets: readonly string[]): string => {
  const text = raw.trimEnd();
  const visible = text.slice(text.lastIndexOf('\r') + 1);
  return withoutFolders(formatSafeLine(stripVTControlCharacters(visible), secrets));
};

const MAX_STDERR_LINE_BYTES = 16 * 1024;
const LINES_PER_WINDOW = 100;
const WINDOW_MS = 1_000;

interface StderrSink {
  readonly server: string;
  readonly pid?: number;
  readonly log: DownstreamLog;
  readonly secrets: readonly string[];
  readonly now: () => number;
  readonly onLine?: (raw: string) => void;
}

type LineLog = (
  entry:
    | { readonly event: 'server.stderr'; readonly line: string }
    | { readonly event: 'server.stderr-suppressed'; readonly lines: number },
) => void;

/** Reads the stderr of a child to its end. At most 100 lines per second are logged, at level `debug`. Returns a function that returns why the child ended. */
export const drainStderr = (
  stream: Readable,
  budget: InputBudget,
  sink: StderrSink,
): (() => string | undefined) => {
  const { server, pid } = sink;
  const source = { server, ...(pid !== undefined && { pid }) };
  const log: LineLog = (entry) => sink.log({ level: 'debug', ...source, ...entry });
  const exitReason = new ExitReason();
  let windowStart = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let suppressed = 0;
  const reportSuppressed = (): void => {
    if (suppressed > 0) log({ event: 'server.stderr-suppressed', lines: suppressed });
    suppressed = 0;
  };
  const onLine = (raw: string): void => {
    const now = sink.now();
    if (now - windowStart >= WINDOW_MS) {
      windowStart = now;
      lines = 0;
      reportSuppressed();
    }
    lines += 1;
    if (lines > LINES_PER_WINDOW) {
      suppressed += 1;
      return;
    }
    const line = formatIndentedLine(raw, sink.secrets);
    if (line === '') return;
    exitReason.addLine(raw, line.trimStart());
    sink.onLine?.(raw);
    log({ event: 'server.stderr', line });
  };
  const onBytes = (line: Uint8Array): void => onLine(decodeText(line));
  const splitter = createLineSplitter(MAX_STDERR_LINE_BYTES, onBytes);
  readPaced(stream, budget, (chunk) => {
    if (!splitter.push(chunk).ok) suppressed += 1;
    return true;
  });
  stream.once('close', () => {
    // The last line may have no line end.
    onBytes(splitter.flush());
    reportSuppressed();
  });
  return () => exitReason.text;
};
