/**
 * Parts of at most so many UTF-16 code units are found by the engine of the platform. For longer parts its worst case is the product of
 * both lengths, which blocks the event loop for long texts.
 */
const SHORT_PART = 32;

/** Returns for each prefix of a text the length of its longest proper prefix that is also its suffix (Knuth, Morris and Pratt). */
export function computeBorders(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let index = 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    while (length > 0 && text.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(length) === code) length += 1;
    borders[index] = length;
  }
  return borders;
}

/** Finds the first occurrence of one part in a text, as `String.prototype.indexOf` does. */
type TextFinder = (text: string, from?: number) => number;

/**
 * Returns the finder of a part, for texts and parts from outside: its time is linear in the sum of both lengths, whatever they contain.
 *
 * @returns a function that returns the index of the first occurrence at or after `from`, and -1 without one
 */
export function createTextFinder(part: string): TextFinder {
  if (part.length <= SHORT_PART) return (text, from = 0) => text.indexOf(part, from);
  const borders = computeBorders(part);
  return (text, from = 0) => {
    let length = 0;
    for (let index = from; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
      if (part.charCodeAt(length) === code) length += 1;
      if (length === part.length) return index - length + 1;
    }
    return -1;
  };
}
