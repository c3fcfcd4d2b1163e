const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** Returns the number of parts (hours, minutes, seconds) of a form such as `-07:00`. */
const partCount = (form: string): number => (form.replaceAll(':', '').length - 1) / 2;

/** Formats an offset from UTC in the form of its element, such as `-07`, `-0700` or `Z07:00`. `Z` means no offset. */
export const offsetText = (form: string, offsetSeconds: number): string => {
  if (form.startsWith('Z') && offsetSeconds === 0) return 'Z';
  const size = Math.abs(offsetSeconds);
  const parts = [size / 3600, (size / 60) % 60, size % 60].slice(0, partCount(form)).map(two);
  return (offsetSeconds < 0 ? '-' : '+') + parts.join(form.includes(':') ? ':' : '');
};
