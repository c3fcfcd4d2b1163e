import { hidesCharacters, withoutHiddenCharacters } from '@gateway/catalog';

const LINE_END = /\r\n?/g;

/** Whether a text is shown as it is. */
export const isDisplayable = (text: string, maxChars: number): boolean =>
  text.length <= maxChars && !hidesCharacters(text) && !text.includes('\r');

/** So many UTF-16 units at most, without half a character at the end. */
const head = (text: string, units: number): string => {
  const cut = text.slice(0, Math.max(0, units));
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
};

/**
 * A text that somebody else wrote, as it is shown: without characters that readers cannot see, with plain line ends, and
 * with a mark at the end when it was longer than it may be. Tabs and line feeds stay.
 *
 * @param maxChars length of the result in UTF-16 units, the mark included
 */
export const displayText = (text: string, maxChars: number): string => {
  const clean = withoutHiddenCharacters(text.replace(LINE_END, '\n'));
  if (clean.length <= maxChars) return clean;
  const mark = ` [... cut by the gateway: ${clean.length} characters]`;
  return `${head(clean, maxChars - mark.length)}${mark}`;
};
