import { describe, expect, it } from 'vitest';
import { readInputLines, MAX_LINE_CHARS } from '../../src/shell/lines.ts';
import { quoteWord } from '../../src/shell/complete-line.ts';
import { splitLine } from '../../src/shell/lines.ts';

const parseWords = (line: string) => splitLine(line).words.map(({ text }) => text);

describe('the words of a line', () => {
  it.each([
    ['tools  list\t--query "read a file"', ['tools', 'list', '--query', 'read a file']],
    [`a'b c'"d e"f\\ g`, ['ab cd ef g']],
    [`'' ""`, ['', '']],
    [`"\\"\\\\\\$\\x" '\\"'`, ['"\\$\\x', '\\"']],
    ['x_* $HOME `id` $(id) a;b | > &', ['x_*', '$HOME', '`id`', '$(id)', 'a;b', '|', '>', '&']],
    ['a#b # comment "', ['a#b']],
    ['# only a comment', []],
    ['__proto__ 🦊 "é 🦊"', ['__proto__', '🦊', 'é 🦊']],
    ['   ', []],
  ])('are those of sh without expansion: %s', (line, words) => {
    expect(parseWords(line)).toEqual(words);
    expect(splitLine(line).open).toBeUndefined();
  });
  it.each([
    ["tools 'list", 'single quote'],
    ['tools "list\\"', 'double quote'],
    ['tools list\\', 'backslash'],
  ])('say what is open: %s', (line, open) => {
    expect(splitLine(line).open).toBe(open);
  });
  it('are read from a long line', () => {
    const long = 'a'.repeat(16_384);
    expect(parseWords(`call '${long}'`)).toEqual(['call', long]);
  });
  it.each([undefined, 'single quote', 'double quote'] as const)(
    'are the same after quoting with %s',
    (open) => {
      for (const word of ["it's", 'a "b" \\c', '$x `y`', '#x', '🦊 z', '__proto__'])
        expect(parseWords(quoteWord(word, open))).toEqual([word]);
    },
  );
});

describe('the lines of an input', () => {
  const formatLines = async (...pieces: readonly (string | Uint8Array)[]) => {
    const lines: string[] = [];
    for await (const line of readInputLines(
      (async function* () {
        yield* await Promise.resolve(pieces);
      })(),
    ))
      lines.push(line);
    return lines;
  };
  it('are joined from pieces, also within a character', async () => {
    const bytes = new TextEncoder().encode('🦊\r\nlast');
    expect(await formatLines('a\nb', 'c\n', bytes.slice(0, 2), bytes.slice(2))).toEqual([
      ...['a', 'bc', '🦊', 'last'],
    ]);
    expect(await formatLines('a\n')).toEqual(['a']);
  });
  it('are bounded', async () => {
    const piece = 'x'.repeat(MAX_LINE_CHARS);
    const [first, second] = await formatLines(piece, piece, '\nshort\n');
    expect(first).toHaveLength(MAX_LINE_CHARS + 1);
    expect(second).toBe('short');
  });
});
