/** The months in English, January first. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** The days of the week in English, Sunday first, as `Date` counts them. */
export const WEEKDAYS = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;

/** Returns midnight of a day in UTC. `Date.UTC` adds 1900 to years below 100. */
export const midnight = (year: number, monthIndex: number, day: number): Date => {
  const date = new Date(0);
  date.setUTCFullYear(year, monthIndex, day);
  return date;
};

/** Returns the day of the year, from 1. */
export const dayOfYear = (date: Date): number => {
  const first = midnight(date.getUTCFullYear(), 0, 1).getTime();
  return Math.floor((date.getTime() - first) / DAY_MS) + 1;
};

/** Returns whether a day exists in a month of a year. */
export const isDayOfMonth = (year: number, monthIndex: number, day: number): boolean =>
  day >= 1 && midnight(year, monthIndex, day).getUTCMonth() === monthIndex;
