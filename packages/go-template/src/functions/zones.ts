import { formatOffset } from '../values/export-json.ts';

/** A local date and time with its zone. */
export interface WallClock {
  /** The date and the time of day, read as UTC. */
  readonly local: Date;
  readonly offsetSeconds: number;
  /** The abbreviation of the zone: `UTC`, `CET`, or its offset where it has none: `-03`. */
  readonly zone: () => string;
}

interface Zone {
  readonly name: string;
  readonly offset: Intl.DateTimeFormat;
  /** Created when an abbreviation is first requested; null when no locale has one. */
  names?: Intl.DateTimeFormat | null;
}

/** Creating a formatter is expensive; programs use few zones. */
const MAX_CACHED_ZONES = 64;
const cachedZones = new Map<string, Zone>();
/** No zone has a longer name. */
const MAX_NAME_CHARS = 64;

const createFormatter = (
  locale: string,
  timeZone: string,
  timeZoneName: 'longOffset' | 'short',
): Intl.DateTimeFormat => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName });

const openZone = (name: string): Zone | undefined => {
  try {
    return { name, offset: createFormatter('en-US', name, 'longOffset') };
  } catch {
    return undefined;
  }
};

const findZone = (name: string): Zone | undefined => {
  const known = cachedZones.get(name);
  if (known !== undefined || name.length > MAX_NAME_CHARS) return known;
  const zone = openZone(name);
  if (zone === undefined) return undefined;
  if (cachedZones.size >= MAX_CACHED_ZONES) cachedZones.clear();
  cachedZones.set(name, zone);
  return zone;
};

const formatZoneName = (format: Intl.DateTimeFormat, ms: number): string =>
  format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';

const OFFSET = /^GMT(?:([+-])(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

const computeOffset = ({ offset }: Zone, ms: number): number => {
  const match = OFFSET.exec(formatZoneName(offset, ms));
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
};

/** Each locale has the abbreviations that are common in its region. */
const LOCALES = [
  'en-US',
  'en-GB',
  'en-AU',
  'en-IN',
  'en-ZA',
  'en-KE',
  'en-NG',
  'en-HK',
  'en-NZ',
  'ja-JP',
  'id-ID',
];

const isAbbreviation = (name: string): boolean => /^[A-Z]{3,5}$/.test(name);

/** A winter and a summer: a locale may have a name for one of them only. */
const SEASONS = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];

/** Returns the format of the locale that has most names, so that a name does not depend on the dates before. */
const findNameFormat = (zone: Zone): Intl.DateTimeFormat | null => {
  let best: Intl.DateTimeFormat | null = null;
  let most = 0;
  for (const locale of LOCALES) {
    const format = createFormatter(locale, zone.name, 'short');
    const count = SEASONS.filter((ms) => isAbbreviation(formatZoneName(format, ms))).length;
    if (count > most) [best, most] = [format, count];
  }
  return best;
};

/** Names that the time zone database has and no locale, by the hours of their offset. */
const FURTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  '-11 SST': ['Pacific/Midway', 'Pacific/Pago_Pago'],
  '-7 MST': ['America/Dawson', 'America/Whitehorse', 'America/Hermosillo', 'America/Mazatlan'],
  '-5 CST': ['America/Havana'],
  '-4 CDT': ['America/Havana'],
  '1 BST': ['Europe/London', 'Europe/Guernsey', 'Europe/Isle_of_Man', 'Europe/Jersey'],
  '1 IST': ['Europe/Dublin'],
  '2 IST': ['Asia/Jerusalem'],
  '3 IDT': ['Asia/Jerusalem'],
  '3 MSK': ['Europe/Moscow', 'Europe/Kirov', 'Europe/Simferopol', 'Europe/Volgograd'],
  '5 PKT': ['Asia/Karachi'],
  '8 CST': ['Asia/Shanghai', 'Asia/Taipei', 'Asia/Macau'],
  '8 PST': ['Asia/Manila'],
  '9 KST': ['Asia/Seoul', 'Asia/Pyongyang'],
  '10 ChST': ['Pacific/Guam', 'Pacific/Saipan'],
};
const furtherNames = new Map(
  Object.entries(FURTHER_NAMES).flatMap(([key, zones]) => {
    const [hours = '', name = ''] = key.split(' ');
    return zones.map((zone) => [`${zone} ${Number(hours) * 3600}`, name] as const);
  }),
);

/** Zones whose offset is their name in the time zone database, whatever a locale says. */
const NAMELESS: ReadonlySet<string> = new Set([
  'America/Miquelon',
  'Antarctica/Casey',
  'Antarctica/Troll',
  'Asia/Colombo',
  'Asia/Dubai',
  'Asia/Muscat',
  'Australia/Eucla',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
]);
/** Names of a locale that the time zone database has in another form. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['HAST', 'HST'],
  ['HADT', 'HDT'],
]);

/** Other names of UTC, which locales call UTC. */
const GREENWICH = /^(?:Etc\/)?(?:GMT[+-]?0?|Greenwich)$/iu;

const nameAt = (zone: Zone, ms: number, seconds: number): string | undefined => {
  if (GREENWICH.test(zone.name)) return 'GMT';
  const { timeZone } = zone.offset.resolvedOptions();
  if (NAMELESS.has(timeZone)) return undefined;
  zone.names ??= findNameFormat(zone);
  const name = zone.names === null ? '' : formatZoneName(zone.names, ms);
  return isAbbreviation(name)
    ? (RENAMED.get(name) ?? name)
    : furtherNames.get(`${timeZone} ${seconds}`);
};

const formatAbbreviation = (zone: Zone, ms: number): string => {
  const seconds = computeOffset(zone, ms);
  return nameAt(zone, ms, seconds) ?? formatOffset(seconds % 3600 === 0 ? '-07' : '-0700', seconds);
};

/** The names of UTC in Go; `Local` is UTC as well. */
const UTC: ReadonlySet<string> = new Set(['', 'UTC', 'Local']);

/** Returns the local time at an instant in a zone of the IANA database; undefined for an unknown zone. */
export const findZoneClock = (ms: number, name: string): WallClock | undefined => {
  if (UTC.has(name)) return { local: new Date(ms), offsetSeconds: 0, zone: () => 'UTC' };
  const zone = findZone(name);
  if (zone === undefined) return undefined;
  const offsetSeconds = computeOffset(zone, ms);
  return {
    local: new Date(ms + offsetSeconds * 1000),
    offsetSeconds,
    zone: () => formatAbbreviation(zone, ms),
  };
};
