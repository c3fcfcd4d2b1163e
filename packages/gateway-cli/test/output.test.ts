import { describe, expect, it } from 'vitest';
import { laidOut, resultText } from '../src/output/result-lines.ts';
import { styleOf } from '../src/output/style.ts';
import { table, type Column } from '../src/output/table.ts';
import { cutToWidth, textWidth } from '../src/output/text-width.ts';

const plain = (_look: string, text: string) => text;
const columns: readonly Column<readonly [string, string]>[] = [
  { title: 'NAME', cell: ([name]) => name },
  { title: 'NOTE', cell: ([, note]) => note },
];

describe('a table', () => {
  it('lines its columns up and ends no line with blanks', () =>
    expect(
      table(
        [
          ['a', 'first'],
          ['longer', ''],
        ],
        columns,
        { style: plain },
      ),
    ).toBe('NAME    NOTE\na       first\nlonger\n'));

  it('lines up what is two columns wide', () =>
    expect(
      table(
        [
          ['日本', 'x'],
          ['🎉', 'y'],
          ['abcde', 'z'],
        ],
        columns,
        { style: plain },
      ),
    ).toBe('NAME   NOTE\n日本   x\n🎉     y\nabcde  z\n'));

  it('cuts its last column where the terminal ends, and never a name', () => {
    const rows = [['a-name', 'some longer note']] as const;
    expect(table(rows, columns, { style: plain, columns: 20 })).toBe(
      'NAME    NOTE\na-name  some longer…\n',
    );
    expect(table(rows, columns, { style: plain, columns: 4 })).toBe(
      'NAME    NOTE\na-name  some lo…\n',
    );
  });

  it('has one line for each row, whatever the cells hold', () =>
    expect(table([['a\nb', '\u001B[31mred\u202E']], columns, { style: plain })).toBe(
      'NAME  NOTE\na\\nb  \\u001b[31mred\\u202e\n',
    ));
});

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['🎉', 2],
    ['👩‍👩‍👧', 2],
    ['é', 1],
  ])('counts the columns of %s', (text, width) => expect(textWidth(text)).toBe(width));
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
  ])('cuts %s to %i', (text, width, cut) => expect(cutToWidth(text, width)).toBe(cut));
});

describe('colours', () => {
  const terminal = { write: () => undefined, isTerminal: true, columns: 80 };
  it('are on a terminal', () =>
    expect(styleOf(terminal, {})('red', 'x')).toBe('\u001B[31mx\u001B[39m'));
  it.each([
    [{ ...terminal, isTerminal: false }, {}],
    [terminal, { NO_COLOR: '1' }],
    [terminal, { TERM: 'dumb' }],
  ])('are nowhere else', (output, env) => expect(styleOf(output, env)('red', 'x')).toBe('x'));
  it('are on with an empty NO_COLOR, as no-color.org has it', () =>
    expect(styleOf(terminal, { NO_COLOR: '' })('bold', 'x')).toBe('\u001B[1mx\u001B[22m'));
});

describe('a result', () => {
  it('lays JSON out where that loses nothing', () => {
    expect(laidOut('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(laidOut('{"id":12345678901234567890}')).toBe('{"id":12345678901234567890}');
    expect(laidOut('{ "a": 1 }')).toBe('{ "a": 1 }');
    expect(laidOut('plain')).toBe('plain');
  });
  it('names what has no text', () =>
    expect(
      resultText({
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
          { type: 'resource_link', uri: 'file:///a' },
        ],
      }),
    ).toBe('a\n[image image/png, 4 characters of base64]\n[resource_link file:///a]\n'));
});
