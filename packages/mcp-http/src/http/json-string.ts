/** The byte that begins and ends a string of JSON text. */
export const QUOTE = 0x22;

const BACKSLASH = 0x5c;

/** Returns the place of the quote that ends the string of JSON text (UTF-8) whose first quote is at `start`. */
export const endOfString = (json: Uint8Array, start: number): number => {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
};
