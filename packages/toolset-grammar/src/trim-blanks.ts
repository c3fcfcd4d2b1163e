const SPACE = 0x20;
const TAB = 0x09;

const isBlank = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index);
  return code === SPACE || code === TAB;
};

/**
 * The text without the ASCII spaces and tabs at its ends. Every other space is part of the text.
 * Linear in the text, long runs of blanks included.
 *
 * @spec §4.1; RFC 9110 §5.6.3
 */
export const trimBlanks = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  return text.slice(start, end);
};
