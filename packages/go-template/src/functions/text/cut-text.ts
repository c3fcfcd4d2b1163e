/** Returns the text up to a number of characters; for a negative number its last characters. Characters are code points. */
export const truncated = (text: string, count: number): string => {
  const characters = Array.from(text);
  if (count >= 0) return characters.slice(0, count).join('');
  return characters.length + count > 0 ? characters.slice(count).join('') : text;
};

/** Returns the characters from `start` up to `end`. A negative start means the beginning, a negative or too large end the end. */
export const substring = (text: string, start: number, end: number): string => {
  const characters = Array.from(text);
  const from = Math.max(0, start);
  return (end < 0 ? characters.slice(from) : characters.slice(from, end)).join('');
};

const DOTS = '...';

/** Room for the dots at both ends and one character more. */
const LEAST_FOR_BOTH = 7;
const LEAST = 4;

/**
 * Returns at most `width` characters, the last three of them dots when the text was cut; the whole text when the width leaves
 * no room for dots.
 */
export const abbreviated = (text: string, width: number): string => {
  const characters = Array.from(text);
  if (width < LEAST || characters.length <= width) return text;
  return characters.slice(0, width - DOTS.length).join('') + DOTS;
};

/** Returns at most `width` characters from around the one at `offset`, with dots where something was cut. */
export const abbreviatedAround = (text: string, offset: number, width: number): string => {
  const characters = Array.from(text);
  if (width < LEAST || (offset > 0 && width < LEAST_FOR_BOTH)) return text;
  if (characters.length <= width) return text;
  // Near the end, the window moves back so that it is full.
  const start = Math.min(offset, characters.length - (width - DOTS.length));
  if (start <= LEAST) return abbreviated(text, width);
  const rest = characters.slice(start);
  return DOTS + abbreviated(rest.join(''), width - DOTS.length);
};
