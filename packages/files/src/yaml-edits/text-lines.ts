/** Returns the start of the line of an offset. */
export const lineStartOf = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** Returns the end of the line of an offset, before its line break. */
export const lineEndOf = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  if (end === -1) return text.length;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
};

/** Returns the start of the next line, or the end of the text. */
export const nextLineOf = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
};

/** Returns whether there are only blanks between two offsets. */
export const isBlankBetween = (text: string, start: number, end: number): boolean =>
  start <= end && /^[ \t]*$/.test(text.slice(start, end));

/** Returns the end of the last line with content between two offsets; the first offset without one. */
export const lastTextEndOf = (text: string, start: number, end: number): number => {
  let at = end;
  while (at > start && /[\r\n]/.test(text[at - 1] ?? '')) at -= 1;
  return at;
};
