import { pino, type Logger } from 'pino';
import { escapeInvisible } from '@gateway/call-contract';
import { escapeToLine } from './terminal-text.ts';
import type { LogFormat, LogLevel } from './log-options.ts';

/** Creates the logger of a process. It writes to stderr: stdout carries results and the stdio transport. */
export function createLogger(options: {
  readonly format: LogFormat;
  readonly level: LogLevel;
}): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: { streamWrite: limitLine },
  };
  return options.format === 'json'
    ? pino(settings, pino.destination({ dest: 2, sync: true }))
    : pino(settings, { write: (line: string) => process.stderr.write(formatTextLine(line)) });
}

/** A line of at most this length is written as it is. */
const MAX_LINE_CHARS = 16_384;

/** The longest text of a longer line. */
const MAX_TEXT_CHARS = 2_048;

/** Returns a JSON log line without invisible characters. A peer that sends a long text cannot fill the log. */
const limitLine = (line: string): string => {
  if (line.length <= MAX_LINE_CHARS) return escapeInvisible(line);
  const members = Object.entries(JSON.parse(line) as Record<string, unknown>);
  const bounded = members.map(([key, value]) => [key, limitValue(value)]);
  return `${escapeInvisible(JSON.stringify(Object.fromEntries(bounded)))}\n`;
};

const limitValue = (value: unknown): unknown => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)}…` : value;
};

/** Formats one JSON log line as `12:30:01 info  message key=value`, with terminal control characters escaped. */
export function formatTextLine(line: string): string {
  const { time, level, msg, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const clock = String(time).slice(11, 19);
  const pairs = Object.entries(facts).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return `${escapeToLine([clock, String(level).padEnd(5), String(msg), ...pairs].join(' '))}\n`;
}

/** Returns a listener that logs an error with its stack. Callers receive one line without it. */
export const logInternalErrors =
  (logger: Pick<Logger, 'error'>) =>
  (error: unknown): void => {
    logger.error({ err: error }, 'internal error');
  };
