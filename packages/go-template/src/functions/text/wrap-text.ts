/** The rules for breaking lines. */
export interface Wrapping {
  /** The most characters in a line. */
  readonly width: number;
  readonly newline: string;
  /** True when a word longer than a line is broken. */
  readonly cutWords: boolean;
}

/** Returns the end of the line that starts at `start`, and the start of the next line; undefined when the rest is one word. */
const lineEnd = (
  characters: readonly string[],
  start: number,
  { width, cutWords }: Wrapping,
): readonly [end: number, next: number] | undefined => {
  // A search by `lastIndexOf` would go on before the start of the line.
  let space = start + width;
  while (space >= start && characters[space] !== ' ') space -= 1;
  if (space >= start) return [space, space + 1];
  if (cutWords) return [start + width, start + width];
  const later = characters.indexOf(' ', start + width);
  return later < 0 ? undefined : [later, later + 1];
};

/** Breaks a text into lines at its spaces. A space at the start of a line is dropped, unless the rest fits into the line. */
export const wrappedText = (text: string, { width, newline, cutWords }: Wrapping): string => {
  const wrapping = { width: Math.max(1, width), newline: newline || '\n', cutWords };
  const characters = Array.from(text);
  const lines: string[] = [];
  let start = 0;
  while (characters.length - start > wrapping.width) {
    if (characters[start] === ' ') {
      start += 1;
      continue;
    }
    const line = lineEnd(characters, start, wrapping);
    if (line === undefined) break;
    lines.push(characters.slice(start, line[0]).join(''));
    start = line[1];
  }
  lines.push(characters.slice(start).join(''));
  return lines.join(wrapping.newline);
};
