import type { TemplateTime } from '../template/template-value.ts';

const MINUTE_MS = 60_000;

/** An offset from UTC as `Z` or `+01:00`. */
const offsetText = (offsetMinutes: number): string => {
  if (offsetMinutes === 0) return 'Z';
  const minutes = Math.abs(offsetMinutes);
  const digits = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${digits(minutes / 60)}:${digits(minutes % 60)}`;
};

/** A time in RFC 3339, in its own offset, with as many digits of a second as it has. */
export const timeText = ({ ms, offsetMinutes }: TemplateTime): string => {
  const [seconds = '', rest = ''] = new Date(ms + offsetMinutes * MINUTE_MS)
    .toISOString()
    .split('.');
  const fraction = rest.slice(0, 3).replace(/0+$/, '');
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}${offsetText(offsetMinutes)}`;
};
