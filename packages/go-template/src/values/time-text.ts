import { offsetText } from './offset-text.ts';
import type { TemplateTime } from './template-value.ts';

const MINUTE_MS = 60_000;

/** Returns a time in RFC 3339, in its own offset, with as many digits of a second as it has. */
export const timeText = ({ ms, offsetMinutes }: TemplateTime): string => {
  const [seconds = '', rest = ''] = new Date(ms + offsetMinutes * MINUTE_MS)
    .toISOString()
    .split('.');
  const fraction = rest.slice(0, 3).replace(/0+$/, '');
  return `${seconds}${fraction === '' ? '' : `.${fraction}`}${offsetText('Z07:00', offsetMinutes * 60)}`;
};
