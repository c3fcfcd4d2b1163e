import { dayOfYear, MONTHS, WEEKDAYS } from './calendar.ts';
import { layoutPieces, type LayoutPiece } from './layout.ts';
import { offsetText } from '../../values/offset-text.ts';
import type { WallClock } from './wall-clock.ts';

const two = (value: number): string => String(value).padStart(2, '0');
const hour12 = (date: Date): number => date.getUTCHours() % 12 || 12;
const half = (date: Date): string => (date.getUTCHours() < 12 ? 'AM' : 'PM');
const monthName = (date: Date): string => MONTHS[date.getUTCMonth()] ?? '';
const dayName = (date: Date): string => WEEKDAYS[date.getUTCDay()] ?? '';
const year = (date: Date): string => {
  const number = date.getUTCFullYear();
  return `${number < 0 ? '-' : ''}${String(Math.abs(number)).padStart(4, '0')}`;
};

const WRITTEN: ReadonlyMap<string, (date: Date) => string> = new Map([
  ['January', monthName],
  ['Jan', (date) => monthName(date).slice(0, 3)],
  ['1', (date) => String(date.getUTCMonth() + 1)],
  ['01', (date) => two(date.getUTCMonth() + 1)],
  ['Monday', dayName],
  ['Mon', (date) => dayName(date).slice(0, 3)],
  ['2', (date) => String(date.getUTCDate())],
  ['_2', (date) => String(date.getUTCDate()).padStart(2)],
  ['02', (date) => two(date.getUTCDate())],
  ['__2', (date) => String(dayOfYear(date)).padStart(3)],
  ['002', (date) => String(dayOfYear(date)).padStart(3, '0')],
  ['15', (date) => two(date.getUTCHours())],
  ['3', (date) => String(hour12(date))],
  ['03', (date) => two(hour12(date))],
  ['4', (date) => String(date.getUTCMinutes())],
  ['04', (date) => two(date.getUTCMinutes())],
  ['5', (date) => String(date.getUTCSeconds())],
  ['05', (date) => two(date.getUTCSeconds())],
  ['2006', year],
  ['06', (date) => year(date).slice(-2)],
  ['PM', half],
  ['pm', (date) => half(date).toLowerCase()],
]);

const NANOSECOND_DIGITS = 9;

const fractionText = (
  { digits, optional, mark }: Extract<LayoutPiece, { kind: 'fraction' }>,
  ms: number,
): string => {
  const all = String(ms).padStart(3, '0').padEnd(NANOSECOND_DIGITS, '0').padEnd(digits, '0');
  const cut = all.slice(0, digits);
  const shown = optional ? cut.replace(/0+$/, '') : cut;
  return shown === '' ? '' : mark + shown;
};

const pieceText = (piece: LayoutPiece, { local, offsetSeconds, zone }: WallClock): string => {
  if (piece.kind === 'text') return piece.text;
  if (piece.kind === 'fraction') return fractionText(piece, local.getUTCMilliseconds());
  if (piece.name === 'MST') return zone();
  return WRITTEN.get(piece.name)?.(local) ?? offsetText(piece.name, offsetSeconds);
};

/** Formats a wall clock time in a layout of Go. */
export const formattedTime = (layout: string, clock: WallClock): string =>
  layoutPieces(layout)
    .map((piece) => pieceText(piece, clock))
    .join('');
