import { FunctionFailure, TemplateTime, type TemplateValue } from '../../values/template-value.ts';
import { describeKind } from '../definition/arguments.ts';
import { DAY_MS } from './calendar.ts';

/** Milliseconds of a second. */
export const SECOND_MS = 1000;

/** The years 0 to 9999, a day less at the end, so that the time has four digits for its year in every zone. */
const EARLIEST_MS = Date.UTC(-1, 11, 31) + DAY_MS;
const LATEST_MS = Date.UTC(10_000, 0, 1) - DAY_MS;

/** Returns a time, if it can be printed. */
export const instant = (ms: number, offsetMinutes = 0): TemplateTime | FunctionFailure => {
  if (ms >= EARLIEST_MS && ms < LATEST_MS) return new TemplateTime(Math.round(ms), offsetMinutes);
  return new FunctionFailure('the time is outside of the years 0 to 9999');
};

/** Reads a time, or a number of seconds since 1970. */
export const timeOrSeconds = (value: TemplateValue): TemplateTime | FunctionFailure => {
  if (value instanceof TemplateTime) return value;
  if (typeof value === 'number') {
    const time = instant(value * SECOND_MS);
    return time instanceof FunctionFailure
      ? new FunctionFailure('must be a time in the years 0 to 9999')
      : time;
  }
  const hint = typeof value === 'string' ? '; see toDate' : '';
  return new FunctionFailure(`must be a time or seconds, but is ${describeKind(value)}${hint}`);
};
