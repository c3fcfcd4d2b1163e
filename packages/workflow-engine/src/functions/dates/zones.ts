import { wallClock, type WallClock } from './wall-clock.ts';

interface Zone {
  readonly offset: Intl.DateTimeFormat;
  readonly names: readonly Intl.DateTimeFormat[];
}

/** A formatter takes long to make; programs use few zones. */
const MAX_KEPT = 64;
const kept = new Map<string, Zone | undefined>();

const formatter = (
  locale: string,
  timeZone: string,
  timeZoneName: 'longOffset' | 'short',
): Intl.DateTimeFormat => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName });

const openZone = (name: string): Zone | undefined => {
  try {
    return {
      offset: formatter('en-US', name, 'longOffset'),
      // Each of the locales knows the usual abbreviations of its own part of the world.
      names: ['en-US', 'en-GB', 'en-AU', 'en-IN'].map((locale) => formatter(locale, name, 'short')),
    };
  } catch {
    return undefined;
  }
};

const zoneNamed = (name: string): Zone | undefined => {
  if (kept.has(name)) return kept.get(name);
  // No zone has a longer name, and what is not one need not be remembered.
  const zone = name.length > 64 ? undefined : openZone(name);
  if (zone === undefined) return undefined;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(name, zone);
  return zone;
};

const partNamed = (format: Intl.DateTimeFormat, ms: number): string =>
  format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';

const OFFSET = /^GMT(?:([+-])(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

const offsetSeconds = (text: string): number => {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(text) ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
};

const abbreviation = ({ names }: Zone, ms: number): string => {
  for (const format of names) {
    const name = partNamed(format, ms);
    if (!/^(?:GMT|UTC)[+-]/.test(name)) return name;
  }
  return '';
};

/** UTC under the names that Go gives to it; `Local` is UTC as well. */
const UTC: ReadonlySet<string> = new Set(['', 'UTC', 'Local']);

/** What a clock shows at an instant in a zone of the IANA database; nothing when there is no such zone. */
export const clockInZone = (ms: number, name: string): WallClock | undefined => {
  if (UTC.has(name)) return wallClock(ms, 0, 'UTC');
  const zone = zoneNamed(name);
  if (zone === undefined) return undefined;
  return wallClock(ms, offsetSeconds(partNamed(zone.offset, ms)), abbreviation(zone, ms));
};
