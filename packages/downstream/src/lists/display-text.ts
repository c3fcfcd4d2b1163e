import { hidesCharacters, withoutHiddenCharacters } from '@gateway/catalog';

const LINE_END = /\r\n?/g;

/** Returns whether a text can be displayed unchanged. */
export const isDisplayable = (text: string, maxChars: number): boolean =>
  text.length <= maxChars && !hidesCharacters(text) && !text.includes('\r');

/** Returns at most `units` UTF-16 units of a text. Never splits a surrogate pair. */
const head = (text: string, units: number): string => {
  const cut = text.slice(0, Math.max(0, units));
  const last = cut.charCodeAt(cut.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? cut.slice(0, -1) : cut;
};

/**
 * Returns a server's text for display: without invisible characters, with normalized line ends, and truncated with a mark when it is too
 * long. Tabs and line feeds stay.
 *
 * @param maxChars maximum length of the result in UTF-16 units, the mark included
 */
export const displayText = (text: string, maxChars: number): string => {
  const clean = withoutHiddenCharacters(text.replace(LINE_END, '\n'));
  if (clean.length <= maxChars) return clean;
  const mark = ` [... cut by the gateway: ${clean.length} characters]`;
  return `${head(clean, maxChars - mark.length)}${mark}`;
};
