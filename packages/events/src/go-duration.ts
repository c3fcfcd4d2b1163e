/** Nanoseconds of a unit. */
const MILLI = 1_000_000n;
const SECOND = 1_000n * MILLI;

/** Returns a number of `unit`s without trailing zeros. */
const formatDecimal = (value: bigint, unit: bigint): string => {
  const whole = value / unit;
  const rest = String(value % unit).padStart(String(unit).length - 1, '0');
  const digits = rest.replace(/0+$/u, '');
  return digits === '' ? String(whole) : `${String(whole)}.${digits}`;
};

/** Far beyond every run, and exact as a number. */
const MAX_MS = 1e12;

/**
 * Returns a duration as Go prints it: `0s`, `1.5ms`, `2.25s`, `1m0s`, `1h0m5s`; to the microsecond. A negative value or NaN counts as zero.
 */
export const goDurationText = (ms: number): string => {
  const micros = BigInt(Math.round(Math.min(ms > 0 ? ms : 0, MAX_MS) * 1000));
  const nanos = micros * 1000n;
  if (nanos === 0n) return '0s';
  if (nanos < MILLI) return `${formatDecimal(nanos, 1000n)}µs`;
  if (nanos < SECOND) return `${formatDecimal(nanos, MILLI)}ms`;
  const minutes = nanos / (60n * SECOND);
  const seconds = `${formatDecimal(nanos % (60n * SECOND), SECOND)}s`;
  if (minutes === 0n) return seconds;
  const hours = minutes / 60n;
  return hours === 0n
    ? `${String(minutes)}m${seconds}`
    : `${String(hours)}h${String(minutes % 60n)}m${seconds}`;
};

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

const PART = /(\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})(ns|us|µs|\u03BCs|ms|s|m|h)/y;
const MAX_CHARS = 64;

/** Milliseconds of a duration as Go writes it (`90s`, `1h30m`, `1.5h`, `0`), or undefined; negative ones are none. */
export const goDurationMs = (text: string): number | undefined => {
  if (text === '0') return 0;
  if (text === '' || text.length > MAX_CHARS) return undefined;
  const parts = new RegExp(PART);
  let total = 0;
  while (parts.lastIndex < text.length) {
    const [, amount, unit] = parts.exec(text) ?? [];
    if (amount === undefined || unit === undefined) return undefined;
    total += Number(amount) * (UNIT_MS.get(unit) ?? Number.NaN);
  }
  return Number.isFinite(total) ? total : undefined;
};
