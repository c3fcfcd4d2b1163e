import { DAY_MS } from './calendar.ts';

const MS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|\u03BCs|ms|s|m|h)/y;

/** About 292 years: the longest duration that Go can count in nanoseconds. */
export const MAX_DURATION_MS = 2 ** 63 / 1e6;
/** No duration is written longer. */
const MAX_CHARS = 200;

/** Returns a duration such as `1h30m` or `-1.5s` in milliseconds; nothing when it is none. */
export const durationMs = (text: string): number | undefined => {
  if (text.length > MAX_CHARS) return undefined;
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0;
  let at = 0;
  let ms = 0;
  while (at < unsigned.length) {
    PART.lastIndex = at;
    const match = PART.exec(unsigned);
    if (match === null) return undefined;
    ms += Number(match[1]) * (MS.get(match[2] ?? '') ?? 0);
    at = PART.lastIndex;
  }
  if (at === 0 || ms > MAX_DURATION_MS) return undefined;
  return text.startsWith('-') ? -ms : ms;
};

/** Returns whole seconds as Go prints a duration: `1h0m5s`. */
export const durationText = (seconds: number): string => {
  const size = Math.abs(seconds);
  const hours = Math.floor(size / 3600);
  const minutes = Math.floor(size / 60) % 60;
  const shownHours = hours > 0 ? `${hours}h` : '';
  const shownMinutes = size >= 60 ? `${minutes}m` : '';
  return `${seconds < 0 ? '-' : ''}${shownHours}${shownMinutes}${size % 60}s`;
};

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['y', 365 * DAY_MS],
  ['mo', 30 * DAY_MS],
  ['d', DAY_MS],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];

/** Returns a duration in its largest unit, without its sign: `2h`. */
export const roundedDuration = (ms: number): string => {
  const size = Math.abs(ms);
  for (const [name, unit] of UNITS) if (size > unit) return `${Math.floor(size / unit)}${name}`;
  return '0s';
};
