/** Nanoseconds of a unit. */
const MILLI = 1_000_000n;
const SECOND = 1_000n * MILLI;

/** A number of `unit`s, without zeros at the end. */
const decimalText = (value: bigint, unit: bigint): string => {
  const whole = value / unit;
  const rest = String(value % unit).padStart(String(unit).length - 1, '0');
  const digits = rest.replace(/0+$/u, '');
  return digits === '' ? String(whole) : `${String(whole)}.${digits}`;
};

/**
 * A duration as Go prints it: `0s`, `1.5ms`, `2.25s`, `1m0s`, `1h0m5s`; to the microsecond. What is negative or no number
 * counts as nothing.
 */
export const goDurationText = (ms: number): string => {
  if (!(ms > 0) || !Number.isFinite(ms)) return '0s';
  const nanos = BigInt(Math.round(ms * 1000)) * 1000n;
  if (nanos === 0n) return '0s';
  if (nanos < MILLI) return `${decimalText(nanos, 1000n)}µs`;
  if (nanos < SECOND) return `${decimalText(nanos, MILLI)}ms`;
  const minutes = nanos / (60n * SECOND);
  const seconds = `${decimalText(nanos % (60n * SECOND), SECOND)}s`;
  if (minutes === 0n) return seconds;
  const hours = minutes / 60n;
  return hours === 0n
    ? `${String(minutes)}m${seconds}`
    : `${String(hours)}h${String(minutes % 60n)}m${seconds}`;
};
