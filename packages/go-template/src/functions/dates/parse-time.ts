import { FunctionFailure, type TemplateTime } from '../../values/template-value.ts';
import { isDayOfMonth, midnight } from './calendar.ts';
import { instant, SECOND_MS } from './instant.ts';
import { layoutPieces, type LayoutPiece } from './layout.ts';
import { timeElement, type TimeFields } from './time-elements.ts';

/** The longest text that can be a time, and more. */
const MAX_SHOWN = 100;

const mismatch = (text: string, layout: string): FunctionFailure =>
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
  for (const piece of withFractions(layoutPieces(layout))) {
    const { length, take } = timeElement(piece);
    const size = length(text, at);
    if (size === undefined) return undefined;
    take(fields, text.slice(at, at + size));
    at += size;
  }
  return at === text.length ? fields : undefined;
};

const hour24 = ({ hour, afternoon }: TimeFields): number => {
  if (afternoon === undefined) return hour;
  return (hour % 12) + (afternoon ? 12 : 0);
};

const isTimeOfDay = (fields: TimeFields): boolean =>
  fields.hour < 24 && fields.minute < 60 && fields.second < 60;

/** Returns whether the date exists; the month and day come from the day of the year where the layout has one. */
const isDate = ({ year, month, day, yearDay }: TimeFields): boolean => {
  if (month < 1 || month > 12) return false;
  if (yearDay === undefined) return isDayOfMonth(year, month - 1, day);
  return yearDay >= 1 && midnight(year, 0, yearDay).getUTCFullYear() === year;
};

const msOf = (fields: TimeFields): number => {
  const { year, month, day, yearDay, minute, second, ms, offsetSeconds } = fields;
  const date = yearDay === undefined ? midnight(year, month - 1, day) : midnight(year, 0, yearDay);
  const seconds = (hour24(fields) * 60 + minute) * 60 + second - offsetSeconds;
  return date.getTime() + seconds * SECOND_MS + ms;
};

/** Parses a time in a layout of Go. The offset defaults to UTC, other missing parts to the first instant of the year 0. */
export const parsedTime = (layout: string, text: string): TemplateTime | FunctionFailure => {
  const fields = readFields(layout, text);
  if (fields === undefined || !isTimeOfDay(fields) || !isDate(fields))
    return mismatch(text, layout);
  return instant(msOf(fields), fields.offsetSeconds / 60);
};
