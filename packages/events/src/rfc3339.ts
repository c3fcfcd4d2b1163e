const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const FORM = new RegExp(
  String.raw`^(\d{4}-\d\d-\d\d)T(${CLOCK}:[0-5]\d)(?:\.(\d{1,9}))?(Z|[+-]${CLOCK})$`,
  'u',
);

/** February 30 would read as a day of March. */
const isDay = (day: string): boolean => {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

const MAX_CHARS = 64;

/** Milliseconds since the epoch of a time such as `2026-05-04T10:00:00Z`, or undefined. RFC 3339 §5.6, without leap seconds. */
export const rfc3339Ms = (text: string): number | undefined => {
  if (text.length > MAX_CHARS) return undefined;
  const [, day, clock = '', fraction = '0', zone = ''] = FORM.exec(text.toUpperCase()) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  return Date.parse(`${day}T${clock}${zone}`) + Number(`0.${fraction}`) * 1000;
};
