/** Where the line of an offset begins. */
export const lineStartOf = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** Where the line of an offset ends, before its line break. */
export const lineEndOf = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  if (end === -1) return text.length;
  return end > at && text[end - 1] === '\r' ? end - 1 : end;
};

/** Where the next line begins, or the text ends. */
export const nextLineOf = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
};

/** Whether only blanks stand between two offsets. */
export const isBlankBetween = (text: string, start: number, end: number): boolean =>
  start <= end && /^[ \t]*$/.test(text.slice(start, end));
