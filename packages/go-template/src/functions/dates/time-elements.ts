import { MONTHS, WEEKDAYS } from './calendar.ts';
import type { LayoutPiece } from './layout.ts';

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
const matching = (pattern: RegExp, take: Take): TimeElement => ({
  length: (text, at) => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0].length;
  },
  take,
});

const number = (pattern: RegExp, take: (fields: TimeFields, value: number) => void): TimeElement =>
  matching(pattern, (fields, text) => take(fields, Number(text.trim())));

const named = (names: readonly string[], letters: number, take: Take): TimeElement => {
  const shown = names.map((name) => name.slice(0, letters).toLowerCase());
  return {
    length: (text, at) =>
      shown.find((name) => text.slice(at, at + name.length).toLowerCase() === name)?.length,
    take,
  };
};

const monthNumber = (text: string): number =>
  MONTHS.findIndex((name) => name.toLowerCase().startsWith(text.slice(0, 3).toLowerCase())) + 1;

const SHORT = /\d{1,2}/y;
const PADDED = /\d{2}/y;
const WHOLE_NAME = 9;

type TakeNumber = (fields: TimeFields, value: number) => void;
const setMonth: TakeNumber = (fields, value) => (fields.month = value);
const setDay: TakeNumber = (fields, value) => (fields.day = value);
const setYearDay: TakeNumber = (fields, value) => (fields.yearDay = value);
const setHour: TakeNumber = (fields, value) => (fields.hour = value);
/** A later hour than 12 becomes one that no day has. */
const setHalfDayHour: TakeNumber = (fields, value) => (fields.hour = value > 12 ? 24 : value);
const setMinute: TakeNumber = (fields, value) => (fields.minute = value);
const setSecond: TakeNumber = (fields, value) => (fields.second = value);
const setYear: TakeNumber = (fields, value) => (fields.year = value);
/** Two digits: from 69 on of the last century. */
const setShortYear: TakeNumber = (fields, value) =>
  (fields.year = value + (value >= 69 ? 1900 : 2000));

const takeMonthName: Take = (fields, text) => setMonth(fields, monthNumber(text));
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
  ['January', named(MONTHS, WHOLE_NAME, takeMonthName)],
  ['Jan', named(MONTHS, 3, takeMonthName)],
  ['1', number(SHORT, setMonth)],
  ['01', number(PADDED, setMonth)],
  ['Monday', named(WEEKDAYS, WHOLE_NAME, ignore)],
  ['Mon', named(WEEKDAYS, 3, ignore)],
  ['2', number(SHORT, setDay)],
  ['_2', number(/ ?\d{1,2}/y, setDay)],
  ['02', number(PADDED, setDay)],
  ['__2', number(/ {0,2}\d{1,3}/y, setYearDay)],
  ['002', number(/\d{3}/y, setYearDay)],
  ['15', number(SHORT, setHour)],
  ['3', number(SHORT, setHalfDayHour)],
  ['03', number(PADDED, setHalfDayHour)],
  ['4', number(SHORT, setMinute)],
  ['04', number(PADDED, setMinute)],
  ['5', number(SHORT, setSecond)],
  ['05', number(PADDED, setSecond)],
  ['2006', number(/\d{4}/y, setYear)],
  ['06', number(PADDED, setShortYear)],
  ['PM', matching(/AM|PM/y, takeHalf)],
  ['pm', matching(/am|pm/y, takeHalf)],
  // The name of a zone alone does not move the time.
  ['MST', matching(ZONE_NAME, ignore)],
  ['-07', matching(/[+-]\d\d/y, takeOffset)],
  ['-0700', matching(/[+-]\d{4}/y, takeOffset)],
  ['-07:00', matching(/[+-]\d\d:\d\d/y, takeOffset)],
  ['-070000', matching(/[+-]\d{6}/y, takeOffset)],
  ['-07:00:00', matching(/[+-]\d\d:\d\d:\d\d/y, takeOffset)],
]);

const takeFraction: Take = (fields, text) =>
  (fields.ms = Math.floor(Number(`0.${text.slice(1) || '0'}`) * 1000));

const FRACTION: TimeElement = matching(/[.,]\d+/y, takeFraction);
const ANY_FRACTION: TimeElement = matching(/(?:[.,]\d+)?/y, takeFraction);

const fractionOf = (digits: number): TimeElement => ({
  length: (text, at) => {
    const length = FRACTION.length(text, at);
    return length !== undefined && length > digits ? digits + 1 : undefined;
  },
  take: takeFraction,
});

/** Spaces in a layout match any number of spaces, also none at the end. */
const literal = (wanted: string): TimeElement => ({
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
const orZ = (offset: TimeElement): TimeElement => ({
  ...offset,
  length: (text, at) => (text[at] === 'Z' ? 1 : offset.length(text, at)),
});

/** Returns the element that reads a piece of a layout. */
export const timeElement = (piece: LayoutPiece): TimeElement => {
  if (piece.kind === 'text') return literal(piece.text);
  if (piece.kind === 'fraction') return piece.optional ? ANY_FRACTION : fractionOf(piece.digits);
  const { name } = piece;
  if (name.startsWith('Z')) return orZ(timeElement({ ...piece, name: `-${name.slice(1)}` }));
  return ELEMENTS.get(name) ?? literal(name);
};
