import { formatOffset } from '../values/export-json.ts';
import type { WallClock } from './zones.ts';
import { FunctionFailure, TemplateTime, type TemplateValue } from '../values/template-value.ts';
import { describeKind } from './definition.ts';

/** The months in English, January first. */
const MONTHS = [
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
const WEEKDAYS = [
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
const createMidnight = (year: number, monthIndex: number, day: number): Date => {
  const date = new Date(0);
  date.setUTCFullYear(year, monthIndex, day);
  return date;
};

/** Returns the day of the year, from 1. */
const computeYearDay = (date: Date): number => {
  const first = createMidnight(date.getUTCFullYear(), 0, 1).getTime();
  return Math.floor((date.getTime() - first) / DAY_MS) + 1;
};

const isDayOfMonth = (year: number, monthIndex: number, day: number): boolean =>
  day >= 1 && createMidnight(year, monthIndex, day).getUTCMonth() === monthIndex;

/** A piece of a layout in Go's form: an element of the reference time `Mon Jan 2 15:04:05 MST 2006`, or text as it is. */
export type LayoutPiece =
  | { readonly kind: 'element'; readonly name: string }
  | {
      readonly kind: 'fraction';
      readonly digits: number;
      readonly optional: boolean;
      readonly mark: string;
    }
  | { readonly kind: 'text'; readonly text: string };

const ELEMENT = new RegExp(
  [
    'January',
    'Jan(?![a-z])',
    'Monday',
    'Mon(?![a-z])',
    'MST',
    '002',
    '0[1-6]',
    '15',
    '1',
    '2006',
    '2',
    '__2',
    '_2(?!006)',
    '[345]',
    'PM',
    'pm',
    '[-Z]07(?:0000|:00:00|00|:00)?',
    '([.,])(0+|9+)(?!\\d)',
  ].join('|'),
  'g',
);

const toLayoutPiece = (match: RegExpExecArray): LayoutPiece => {
  const [name, mark, digits] = match;
  return mark === undefined || digits === undefined
    ? { kind: 'element', name }
    : { kind: 'fraction', digits: digits.length, optional: digits.startsWith('9'), mark };
};

/** Reads a layout. Every text is one. */
const parseLayout = (layout: string): readonly LayoutPiece[] => {
  const pieces: LayoutPiece[] = [];
  let at = 0;
  const textUpTo = (end: number): void => {
    if (end > at) pieces.push({ kind: 'text', text: layout.slice(at, end) });
  };
  for (const match of layout.matchAll(ELEMENT)) {
    textUpTo(match.index);
    pieces.push(toLayoutPiece(match));
    at = match.index + match[0].length;
  }
  textUpTo(layout.length);
  return pieces;
};

const formatTwoDigits = (value: number): string => String(value).padStart(2, '0');
const computeHour12 = (date: Date): number => date.getUTCHours() % 12 || 12;
const formatDayHalf = (date: Date): string => (date.getUTCHours() < 12 ? 'AM' : 'PM');
const formatMonth = (date: Date): string => MONTHS[date.getUTCMonth()] ?? '';
const formatWeekday = (date: Date): string => WEEKDAYS[date.getUTCDay()] ?? '';
const formatYear = (date: Date): string => {
  const number = date.getUTCFullYear();
  return `${number < 0 ? '-' : ''}${String(Math.abs(number)).padStart(4, '0')}`;
};

const WRITTEN: ReadonlyMap<string, (date: Date) => string> = new Map([
  ['January', formatMonth],
  ['Jan', (date) => formatMonth(date).slice(0, 3)],
  ['1', (date) => String(date.getUTCMonth() + 1)],
  ['01', (date) => formatTwoDigits(date.getUTCMonth() + 1)],
  ['Monday', formatWeekday],
  ['Mon', (date) => formatWeekday(date).slice(0, 3)],
  ['2', (date) => String(date.getUTCDate())],
  ['_2', (date) => String(date.getUTCDate()).padStart(2)],
  ['02', (date) => formatTwoDigits(date.getUTCDate())],
  ['__2', (date) => String(computeYearDay(date)).padStart(3)],
  ['002', (date) => String(computeYearDay(date)).padStart(3, '0')],
  ['15', (date) => formatTwoDigits(date.getUTCHours())],
  ['3', (date) => String(computeHour12(date))],
  ['03', (date) => formatTwoDigits(computeHour12(date))],
  ['4', (date) => String(date.getUTCMinutes())],
  ['04', (date) => formatTwoDigits(date.getUTCMinutes())],
  ['5', (date) => String(date.getUTCSeconds())],
  ['05', (date) => formatTwoDigits(date.getUTCSeconds())],
  ['2006', formatYear],
  ['06', (date) => formatYear(date).slice(-2)],
  ['PM', formatDayHalf],
  ['pm', (date) => formatDayHalf(date).toLowerCase()],
]);

const NANOSECOND_DIGITS = 9;

const formatFraction = (
  { digits, optional, mark }: Extract<LayoutPiece, { kind: 'fraction' }>,
  ms: number,
): string => {
  const all = String(ms).padStart(3, '0').padEnd(NANOSECOND_DIGITS, '0').padEnd(digits, '0');
  const cut = all.slice(0, digits);
  const shown = optional ? cut.replace(/0+$/, '') : cut;
  return shown === '' ? '' : mark + shown;
};

const formatPiece = (piece: LayoutPiece, { local, offsetSeconds, zone }: WallClock): string => {
  if (piece.kind === 'text') return piece.text;
  if (piece.kind === 'fraction') return formatFraction(piece, local.getUTCMilliseconds());
  if (piece.name === 'MST') return zone();
  return WRITTEN.get(piece.name)?.(local) ?? formatOffset(piece.name, offsetSeconds);
};

export const formatClock = (layout: string, clock: WallClock): string =>
  parseLayout(layout)
    .map((piece) => formatPiece(piece, clock))
    .join('');

/** The parts of a time that a layout has read so far. */
export interface TimeFields {
  year: number;
  month: number;
  day: number;
  yearDay: number | undefined;
  hour: number;
  minute: number;
  second: number;
  ms: number;
  afternoon: boolean | undefined;
  offsetSeconds: number;
}

/** Reads one piece of a layout. */
export interface TimeElement {
  /** Returns the number of characters that belong to the element at this position; undefined when it does not match. */
  readonly length: (text: string, at: number) => number | undefined;
  readonly take: (fields: TimeFields, text: string) => void;
}

type Take = TimeElement['take'];

/** Returns an element that matches a sticky pattern. */
const createPatternElement = (pattern: RegExp, take: Take): TimeElement => ({
  length: (text, at) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0].length;
  },
  take,
});

const createNumberElement = (
  pattern: RegExp,
  field: NumberField,
  convert = (value: number): number => value,
): TimeElement =>
  createPatternElement(pattern, (fields, text) => (fields[field] = convert(Number(text.trim()))));

const createNameElement = (names: readonly string[], letters: number, take: Take): TimeElement => {
  const shown = names.map((name) => name.slice(0, letters).toLowerCase());
  return {
    length: (text, at) =>
      shown.find((name) => text.slice(at, at + name.length).toLowerCase() === name)?.length,
    take,
  };
};

const parseMonth = (text: string): number =>
  MONTHS.findIndex((name) => name.toLowerCase().startsWith(text.slice(0, 3).toLowerCase())) + 1;

const SHORT = /\d{1,2}/y;
const PADDED = /\d{2}/y;
const WHOLE_NAME = 9;

type NumberField = 'year' | 'month' | 'day' | 'yearDay' | 'hour' | 'minute' | 'second';

/** Two digits: from 69 on of the last century. */
const toFullYear = (value: number): number => value + (value >= 69 ? 1900 : 2000);
/** A later hour than 12 becomes one that no day has. */
const toHalfDayHour = (value: number): number => (value > 12 ? 24 : value);

const takeMonthName: Take = (fields, text) => (fields.month = parseMonth(text));
const takeHalf: Take = (fields, text) => (fields.afternoon = text.toUpperCase() === 'PM');
const ignore: Take = () => undefined;

const takeOffset: Take = (fields, text) => {
  const digits = text.replace(/[^0-9]/g, '').padEnd(6, '0');
  const at = (index: number): number => Number(digits.slice(index, index + 2));
  const size = (at(0) * 60 + at(2)) * 60 + at(4);
  fields.offsetSeconds = text.startsWith('-') ? -size : size;
};

/** Names of three capitals, longer ones with `T` at their end, and offsets in hours. */
const ZONE_NAME =
  /ChST|MeST|UTC|GMT(?:[+-](?:2[0-3]|[01]?\d)(?!\d))?|[+-](?:2[0-3]|[01]?\d)(?!\d)|(?:[A-Z]{4}T|[A-Z]{3}T|WITA|[A-Z]{3})(?![A-Z])/y;

const ELEMENTS: ReadonlyMap<string, TimeElement> = new Map([
  ['January', createNameElement(MONTHS, WHOLE_NAME, takeMonthName)],
  ['Jan', createNameElement(MONTHS, 3, takeMonthName)],
  ['1', createNumberElement(SHORT, 'month')],
  ['01', createNumberElement(PADDED, 'month')],
  ['Monday', createNameElement(WEEKDAYS, WHOLE_NAME, ignore)],
  ['Mon', createNameElement(WEEKDAYS, 3, ignore)],
  ['2', createNumberElement(SHORT, 'day')],
  ['_2', createNumberElement(/ ?\d{1,2}/y, 'day')],
  ['02', createNumberElement(PADDED, 'day')],
  ['__2', createNumberElement(/ {0,2}\d{1,3}/y, 'yearDay')],
  ['002', createNumberElement(/\d{3}/y, 'yearDay')],
  ['15', createNumberElement(SHORT, 'hour')],
  ['3', createNumberElement(SHORT, 'hour', toHalfDayHour)],
  ['03', createNumberElement(PADDED, 'hour', toHalfDayHour)],
  ['4', createNumberElement(SHORT, 'minute')],
  ['04', createNumberElement(PADDED, 'minute')],
  ['5', createNumberElement(SHORT, 'second')],
  ['05', createNumberElement(PADDED, 'second')],
  ['2006', createNumberElement(/\d{4}/y, 'year')],
  ['06', createNumberElement(PADDED, 'year', toFullYear)],
  ['PM', createPatternElement(/AM|PM/y, takeHalf)],
  ['pm', createPatternElement(/am|pm/y, takeHalf)],
  // The name of a zone alone does not move the time.
  ['MST', createPatternElement(ZONE_NAME, ignore)],
  ['-07', createPatternElement(/[+-]\d\d/y, takeOffset)],
  ['-0700', createPatternElement(/[+-]\d{4}/y, takeOffset)],
  ['-07:00', createPatternElement(/[+-]\d\d:\d\d/y, takeOffset)],
  ['-070000', createPatternElement(/[+-]\d{6}/y, takeOffset)],
  ['-07:00:00', createPatternElement(/[+-]\d\d:\d\d:\d\d/y, takeOffset)],
]);

const takeFraction: Take = (fields, text) =>
  (fields.ms = Math.floor(Number(`0.${text.slice(1) || '0'}`) * 1000));

const FRACTION: TimeElement = createPatternElement(/[.,]\d+/y, takeFraction);
const ANY_FRACTION: TimeElement = createPatternElement(/(?:[.,]\d+)?/y, takeFraction);

const createFractionElement = (digits: number): TimeElement => ({
  length: (text, at) => {
    const length = FRACTION.length(text, at);
    return length !== undefined && length > digits ? digits + 1 : undefined;
  },
  take: takeFraction,
});

/** Spaces in a layout match any number of spaces, also none at the end. */
const createLiteralElement = (wanted: string): TimeElement => ({
  length: (text, start) => {
    let at = start;
    for (const part of wanted.split(/( +)/)) {
      if (part.startsWith(' ')) {
        if (at < text.length && text[at] !== ' ') return undefined;
        while (text[at] === ' ') at += 1;
      } else if (text.startsWith(part, at)) at += part.length;
      else return undefined;
    }
    return at - start;
  },
  take: ignore,
});

/** Returns an offset that may also be written as `Z`. */
const allowZ = (offset: TimeElement): TimeElement => ({
  ...offset,
  length: (text, at) => (text[at] === 'Z' ? 1 : offset.length(text, at)),
});

const toTimeElement = (piece: LayoutPiece): TimeElement => {
  if (piece.kind === 'text') return createLiteralElement(piece.text);
  if (piece.kind === 'fraction')
    return piece.optional ? ANY_FRACTION : createFractionElement(piece.digits);
  const { name } = piece;
  if (name.startsWith('Z')) return allowZ(toTimeElement({ ...piece, name: `-${name.slice(1)}` }));
  return ELEMENTS.get(name) ?? createLiteralElement(name);
};

/** Milliseconds of a second. */
export const SECOND_MS = 1000;

/** The years 0 to 9999, a day less at the end, so that the time has four digits for its year in every zone. */
const EARLIEST_MS = Date.UTC(-1, 11, 31) + DAY_MS;
const LATEST_MS = Date.UTC(10_000, 0, 1) - DAY_MS;

/** Returns a time, if it can be printed. */
export const createInstant = (ms: number, offsetMinutes = 0): TemplateTime | FunctionFailure => {
  if (ms >= EARLIEST_MS && ms < LATEST_MS) return new TemplateTime(Math.round(ms), offsetMinutes);
  return new FunctionFailure('the time is outside of the years 0 to 9999');
};

/** Reads a time, or a number of seconds since 1970. */
export const readInstantArgument = (value: TemplateValue): TemplateTime | FunctionFailure => {
  if (value instanceof TemplateTime) return value;
  if (typeof value === 'number') {
    const time = createInstant(value * SECOND_MS);
    return time instanceof FunctionFailure
      ? new FunctionFailure('must be a time in the years 0 to 9999')
      : time;
  }
  const hint = typeof value === 'string' ? '; see toDate' : '';
  return new FunctionFailure(`must be a time or seconds, but is ${describeKind(value)}${hint}`);
};

/** The longest text that can be a time, and more. */
const MAX_SHOWN = 100;

const createLayoutFailure = (text: string, layout: string): FunctionFailure =>
  new FunctionFailure(
    `cannot read ${JSON.stringify(text.slice(0, MAX_SHOWN))} as a time in the form ${JSON.stringify(layout.slice(0, MAX_SHOWN))}`,
  );

const isSecond = (piece: LayoutPiece): boolean =>
  piece.kind === 'element' && (piece.name === '5' || piece.name === '05');

/** Seconds may have a fraction though the layout names none. */
const withFractions = (pieces: readonly LayoutPiece[]): readonly LayoutPiece[] =>
  pieces.flatMap((piece, index): readonly LayoutPiece[] =>
    isSecond(piece) && pieces[index + 1]?.kind !== 'fraction'
      ? [piece, { kind: 'fraction', digits: 0, optional: true, mark: '.' }]
      : [piece],
  );

const readFields = (layout: string, text: string): TimeFields | undefined => {
  const fields: TimeFields = {
    year: 0,
    month: 1,
    day: 1,
    yearDay: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    ms: 0,
    afternoon: undefined,
    offsetSeconds: 0,
  };
  let at = 0;
  for (const piece of withFractions(parseLayout(layout))) {
    const { length, take } = toTimeElement(piece);
    const size = length(text, at);
    if (size === undefined) return undefined;
    take(fields, text.slice(at, at + size));
    at += size;
  }
  return at === text.length ? fields : undefined;
};

const computeHour24 = ({ hour, afternoon }: TimeFields): number => {
  if (afternoon === undefined) return hour;
  return (hour % 12) + (afternoon ? 12 : 0);
};

const isTimeOfDay = (fields: TimeFields): boolean =>
  fields.hour < 24 && fields.minute < 60 && fields.second < 60;

/** Returns whether the date exists; the month and day come from the day of the year where the layout has one. */
const isDate = ({ year, month, day, yearDay }: TimeFields): boolean => {
  if (month < 1 || month > 12) return false;
  if (yearDay === undefined) return isDayOfMonth(year, month - 1, day);
  return yearDay >= 1 && createMidnight(year, 0, yearDay).getUTCFullYear() === year;
};

const computeMs = (fields: TimeFields): number => {
  const { year, month, day, yearDay, minute, second, ms, offsetSeconds } = fields;
  const date =
    yearDay === undefined ? createMidnight(year, month - 1, day) : createMidnight(year, 0, yearDay);
  const seconds = (computeHour24(fields) * 60 + minute) * 60 + second - offsetSeconds;
  return date.getTime() + seconds * SECOND_MS + ms;
};

/** Parses a time in a layout of Go. The offset defaults to UTC, other missing parts to the first instant of the year 0. */
export const parseLayoutTime = (layout: string, text: string): TemplateTime | FunctionFailure => {
  const fields = readFields(layout, text);
  if (fields === undefined || !isTimeOfDay(fields) || !isDate(fields))
    return createLayoutFailure(text, layout);
  return createInstant(computeMs(fields), fields.offsetSeconds / 60);
};
