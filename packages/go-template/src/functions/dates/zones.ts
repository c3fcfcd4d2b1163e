import { offsetText } from '../../values/offset-text.ts';
import type { WallClock } from './wall-clock.ts';

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

const formatter = (
  locale: string,
  timeZone: string,
  timeZoneName: 'longOffset' | 'short',
): Intl.DateTimeFormat => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName });

const openZone = (name: string): Zone | undefined => {
  try {
    return { name, offset: formatter('en-US', name, 'longOffset') };
  } catch {
    return undefined;
  }
};

const zoneNamed = (name: string): Zone | undefined => {
  const known = cachedZones.get(name);
  if (known !== undefined || name.length > MAX_NAME_CHARS) return known;
  const zone = openZone(name);
  if (zone === undefined) return undefined;
  if (cachedZones.size >= MAX_CACHED_ZONES) cachedZones.clear();
  cachedZones.set(name, zone);
  return zone;
};

const shownName = (format: Intl.DateTimeFormat, ms: number): string =>
  format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';

const OFFSET = /^GMT(?:([+-])(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

const offsetAt = ({ offset }: Zone, ms: number): number => {
  const match = OFFSET.exec(shownName(offset, ms));
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

const namesOf = (zone: Zone, ms: number): Intl.DateTimeFormat | null => {
  for (const locale of LOCALES) {
    const format = formatter(locale, zone.name, 'short');
    if (isAbbreviation(shownName(format, ms))) return format;
  }
  return null;
};

const abbreviationAt = (zone: Zone, ms: number): string => {
  zone.names ??= namesOf(zone, ms);
  const name = zone.names === null ? '' : shownName(zone.names, ms);
  if (isAbbreviation(name)) return name;
  const seconds = offsetAt(zone, ms);
  return offsetText(seconds % 3600 === 0 ? '-07' : '-0700', seconds);
};

/** The names of UTC in Go; `Local` is UTC as well. */
const UTC: ReadonlySet<string> = new Set(['', 'UTC', 'Local']);

/** Returns the local time at an instant in a zone of the IANA database; undefined for an unknown zone. */
export const clockInZone = (ms: number, name: string): WallClock | undefined => {
  if (UTC.has(name)) return { local: new Date(ms), offsetSeconds: 0, zone: () => 'UTC' };
  const zone = zoneNamed(name);
  if (zone === undefined) return undefined;
  const offsetSeconds = offsetAt(zone, ms);
  return {
    local: new Date(ms + offsetSeconds * 1000),
    offsetSeconds,
    zone: () => abbreviationAt(zone, ms),
  };
};
