import {
  DAY_MS,
  formatClock,
  createInstant,
  parseLayoutTime,
  SECOND_MS,
  readInstantArgument,
} from './time-layout.ts';
import {
  type FunctionContext,
  FunctionFailure,
  type TemplateFunction,
  TemplateTime,
  type TemplateValue,
} from '../values/template-value.ts';
import {
  readAnyArgument,
  createEntryFactory,
  type FunctionEntries,
  makeWithinBudget,
  type Reader,
  createAlias,
  readTextArgument,
  readTimeArgument,
  withArguments,
} from './definition.ts';
import { parseDigits } from './read-number.ts';
import { findZoneClock } from './zones.ts';

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
const MAX_DURATION_MS = 2 ** 63 / 1e6;
/** No duration is written longer. */
const MAX_CHARS = 200;

/** Returns a duration such as `1h30m` or `-1.5s` in milliseconds; nothing when it is none. */
const parseDuration = (text: string): number | undefined => {
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
const formatDuration = (seconds: number): string => {
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
const formatLargestUnit = (ms: number): string => {
  const size = Math.abs(ms);
  for (const [name, unit] of UNITS) if (size > unit) return `${Math.floor(size / unit)}${name}`;
  return '0s';
};

const entry = createEntryFactory('Dates and times');

const HTML_LAYOUT = '2006-01-02';
/** Reading a time, and the error for a text that is none. */
const UNITS_PER_TIME = 128;
/** A name of a month or a zone is longer than its element. */
const GROWTH = 8;
/** Computing the offset of a zone is expensive. */
const ZONE_UNITS = 10_000;

/** A layout is short; each of its elements costs as much as many characters. */
const MAX_LAYOUT_CHARS = 1000;

const readLayout: Reader<string> = (value) => {
  const layout = readTextArgument(value);
  return layout instanceof FunctionFailure || layout.length <= MAX_LAYOUT_CHARS
    ? layout
    : new FunctionFailure(`must have at most ${MAX_LAYOUT_CHARS} characters`);
};

interface Shown {
  readonly layout: string;
  readonly at: TemplateTime;
  readonly zone: string;
}

const formatValue = (
  { layout, at, zone }: Shown,
  context: FunctionContext,
): string | FunctionFailure =>
  makeWithinBudget(context, GROWTH * layout.length + (zone === 'UTC' ? 0 : ZONE_UNITS), () => {
    const clock = findZoneClock(at.ms, zone);
    return clock === undefined
      ? new FunctionFailure(`there is no time zone ${JSON.stringify(zone.slice(0, 100))}`)
      : formatClock(layout, clock);
  });

const changeTime = (
  change: string,
  given: TemplateTime,
  otherwise: (failure: FunctionFailure) => TemplateTime | FunctionFailure,
): TemplateTime | FunctionFailure => {
  const ms = parseDuration(change);
  return ms === undefined
    ? otherwise(
        new FunctionFailure(`cannot read ${JSON.stringify(change.slice(0, 100))} as a duration`),
      )
    : createInstant(given.ms + ms, given.offsetMinutes);
};

const createTimeReader = (
  otherwise: (failure: FunctionFailure) => TemplateTime | FunctionFailure,
): TemplateFunction =>
  withArguments([readLayout, readTextArgument], ([layout, value], context) =>
    makeWithinBudget(context, UNITS_PER_TIME + GROWTH * layout.length + value.length, () => {
      const read = parseLayoutTime(layout, value);
      return read instanceof FunctionFailure ? otherwise(read) : read;
    }),
  );

/** The zero time of Go, returned for a text that is not a time. */
const FIRST_TIME = new TemplateTime(-62_135_596_800_000);

const toSeconds = (value: TemplateValue): number | FunctionFailure => {
  if (typeof value === 'number') return Math.trunc(value);
  return typeof value === 'string' ? parseDigits(value, 10) : 0;
};

const toDurationText = (value: TemplateValue): string | FunctionFailure => {
  const seconds = toSeconds(value);
  if (seconds instanceof FunctionFailure) return seconds;
  return Math.abs(seconds) * SECOND_MS < MAX_DURATION_MS
    ? formatDuration(seconds)
    : new FunctionFailure(`${seconds} seconds are more than a duration can be`);
};

const NANOSECONDS_PER_MS = 1e6;

const toMilliseconds = (value: TemplateValue, now: number): number => {
  if (value instanceof TemplateTime) return now - value.ms;
  if (typeof value === 'number') return value / NANOSECONDS_PER_MS;
  return typeof value === 'string' ? (parseDuration(value) ?? 0) : 0;
};

const dateInZone = entry(
  withArguments(
    [readLayout, readInstantArgument, readTextArgument],
    ([layout, at, zone], context) => formatValue({ layout, at, zone }, context),
  ),
  'dateInZone layout time zone',
  'The same in a zone of the IANA database.',
  ['{{ dateInZone "15:04 MST" 0 "America/New_York" }}', '19:00 EST'],
);

const dateModify = entry(
  withArguments([readTextArgument, readTimeArgument], ([change, given]) =>
    changeTime(change, given, () => given),
  ),
  'dateModify duration time',
  'The time so much later. A text that is no duration changes nothing.',
  ['{{ now | dateModify "-1h30m" | date "15:04" }}', '01:34'],
);

const mustDateModify = entry(
  withArguments([readTextArgument, readTimeArgument], ([change, given]) =>
    changeTime(change, given, (failure) => failure),
  ),
  'mustDateModify duration time',
  'The same, but fails for a text that is no duration.',
  ['{{ now | mustDateModify "24h" | htmlDate }}', '2026-01-03'],
);

/** Functions with times. Only `now`, `ago` and `durationRound` read the clock. */
export const dateFunctions = {
  now: entry((_args, { now }) => createInstant(now()), 'now', 'The present time.', [
    '{{ now }}',
    '2026-01-02T03:04:05Z',
  ]),
  date: entry(
    withArguments([readLayout, readInstantArgument], ([layout, at], context) =>
      formatValue({ layout, at, zone: 'UTC' }, context),
    ),
    'date layout time',
    'A time in a layout of Go, in UTC. Seconds since 1970 are also a time.',
    ['{{ now | date "Mon, 02 Jan 2006 15:04" }}', 'Fri, 02 Jan 2026 03:04'],
  ),
  dateInZone,
  date_in_zone: createAlias(dateInZone, 'dateInZone', 'date_in_zone'),
  htmlDate: entry(
    withArguments([readInstantArgument], ([at], context) =>
      formatValue({ layout: HTML_LAYOUT, at, zone: 'UTC' }, context),
    ),
    'htmlDate time',
    'The date, as fields of forms have it.',
    ['{{ htmlDate now }}', '2026-01-02'],
  ),
  htmlDateInZone: entry(
    withArguments([readInstantArgument, readTextArgument], ([at, zone], context) =>
      formatValue({ layout: HTML_LAYOUT, at, zone }, context),
    ),
    'htmlDateInZone time zone',
    'The date in a zone.',
    ['{{ htmlDateInZone now "America/New_York" }}', '2026-01-01'],
  ),
  dateModify,
  date_modify: createAlias(dateModify, 'dateModify', 'date_modify'),
  mustDateModify,
  must_date_modify: createAlias(mustDateModify, 'mustDateModify', 'must_date_modify'),
  toDate: entry(
    createTimeReader(() => FIRST_TIME),
    'toDate layout text',
    'The time that a text in a layout of Go names, in UTC unless it has an offset. The first instant of the year 1 for what is no time.',
    ['{{ toDate "2006-01-02" "2017-12-31" | date "02/01/2006" }}', '31/12/2017'],
  ),
  mustToDate: entry(
    createTimeReader((failure) => failure),
    'mustToDate layout text',
    'The same, but fails for what is no time.',
    ['{{ mustToDate "2006-01-02" "2017-12-31" }}', '2017-12-31T00:00:00Z'],
  ),
  unixEpoch: entry(
    withArguments([readTimeArgument], ([at]) => String(Math.floor(at.ms / SECOND_MS))),
    'unixEpoch time',
    'The seconds since 1970, as a text.',
    ['{{ unixEpoch now }}', '1767323045'],
  ),
  ago: entry(
    withArguments([readInstantArgument], ([at], { now }) =>
      formatDuration(toWholeSeconds(now() - at.ms)),
    ),
    'ago time',
    'How long ago a time was, in whole seconds.',
    ['{{ toDate "2006-01-02 15:04" "2026-01-02 03:00" | ago }}', '4m5s'],
  ),
  duration: entry(
    withArguments([readAnyArgument], ([seconds]) => toDurationText(seconds)),
    'duration seconds',
    'Seconds as a duration; a text that is no number is 0.',
    ['{{ duration 95 }}', '1m35s'],
  ),
  durationRound: entry(
    withArguments([readAnyArgument], ([value], { now }) =>
      formatLargestUnit(toMilliseconds(value, now())),
    ),
    'durationRound duration',
    'How many of its largest unit a duration has. For a time, how long ago it was; a number counts nanoseconds.',
    ['{{ durationRound "2h10m5s" }}', '2h'],
  ),
} satisfies FunctionEntries;

/** Halves are rounded away from zero. */
const toWholeSeconds = (ms: number): number =>
  Math.sign(ms) * Math.round(Math.abs(ms) / SECOND_MS) + 0;
