/**
 * What a reader of a text cannot see, and a model reads all the same: control characters except tab, line feed and carriage return,
 * bidirectional controls, characters without width or meaning of their own, tags, and more than one variation selector in a row.
 * The joiners U+200C and U+200D stay, since scripts and emoji need them.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]|(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const LINE_END = /\r\n?/g;

/** Whether a text holds characters that readers cannot see. */
export const hidesCharacters = (text: string): boolean => HIDDEN.test(text);

/** Whether a text is shown as it is. */
export const isShownAsIs = (text: string, maxChars: number): boolean =>
  text.length <= maxChars && !HIDDEN.test(text) && !text.includes('\r');

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
export const shownText = (text: string, maxChars: number): string => {
  const clean = text.replace(LINE_END, '\n').replace(ALL_HIDDEN, '');
  if (clean.length <= maxChars) return clean;
  const mark = ` [... cut by the gateway: ${clean.length} characters]`;
  return `${head(clean, maxChars - mark.length)}${mark}`;
};
