/** Longest line of the shell, in UTF-16 code units. */
export const MAX_LINE_CHARS = 65_536;

/** Yields the lines of a stream. Of a line that is too long it yields one character more than the limit, and discards the rest. */
export async function* inputLines(
  input: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of input) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const lines = text.split('\n');
    for (const [index, line] of lines.entries()) {
      if (index > 0) {
        yield withoutReturn(rest);
        rest = '';
      }
      rest = (rest + line).slice(0, MAX_LINE_CHARS + 1);
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield withoutReturn(rest);
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
