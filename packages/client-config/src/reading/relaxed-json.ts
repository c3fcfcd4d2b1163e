const STRING = /"[^"\\]*(?:\\[^][^"\\]*)*"?/y;
const COMMENT = /\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/)?/y;
const COMMA = /,(?=\s*[}\]])/y;

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

/** Returns a text in which everything outside strings that matches a pattern is a space. Takes time in proportion to the text. */
const withoutMatches = (text: string, pattern: RegExp, start: string): string => {
  const parts: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    const found =
      char === '"' ? matchAt(STRING, text, at) : char === start && matchAt(pattern, text, at);
    if (char === start && typeof found === 'string') {
      parts.push(text.slice(copied, at), ' ');
      copied = at + found.length;
    }
    at += typeof found === 'string' ? found.length : 1;
  }
  return parts.join('') + text.slice(copied);
};

const BYTE_ORDER_MARK = '\uFEFF';

/** Returns a text without the byte order mark that editors of Windows write. */
export const withoutMark = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;

/** Returns JSON without the comments and trailing commas that editors permit in their settings. */
export const strictJson = (text: string): string =>
  withoutMatches(withoutMatches(withoutMark(text), COMMENT, '/'), COMMA, ',');
