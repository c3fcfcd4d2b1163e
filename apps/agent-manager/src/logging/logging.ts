import process from 'node:process';
import { pino, type Logger } from 'pino';
import type { LogFormat, LogLevel } from './log-level.ts';

/** Makes the process's logger. Every line goes to stderr, since stdout belongs to results. */
export function createLogger(options: { format: LogFormat; level: LogLevel }): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return options.format === 'json'
    ? pino(settings, pino.destination({ dest: 2, sync: true }))
    : pino(settings, { write: (line: string) => process.stderr.write(textLine(line)) });
}

/** What a terminal obeys instead of showing it. */
const STEERING = /[\p{Cc}\p{Bidi_Control}]/gu;

const escaped = (character: string): string =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** Turns one JSON log line into `12:30:01 info  message key=value`, which cannot steer a terminal: much of it was said by others. */
export function textLine(line: string): string {
  const { time, level, msg, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const clock = String(time).slice(11, 19);
  const pairs = Object.entries(facts).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const text = [clock, String(level).padEnd(5), String(msg), ...pairs].join(' ');
  return `${text.replaceAll(STEERING, escaped)}\n`;
}
