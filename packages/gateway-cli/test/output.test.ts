import { describe, expect, it } from 'vitest';
import { createBufferedIo } from '@gateway/gateway-cli';
import { indentJson, formatToolResult } from '../src/json-fields.ts';
import {
  type Column,
  createStyle,
  formatTerminalTable,
  computeTextWidth,
  truncateToWidth,
} from '../src/output.ts';

const pipe = createBufferedIo();
const terminalOf = (columns: number) =>
  createBufferedIo({ terminal: columns, env: { NO_COLOR: '1' } });
const columns: readonly Column<readonly [string, string]>[] = [
  { title: 'NAME', cell: ([name]) => name },
  { title: 'NOTE', cell: ([, note]) => note },
];

describe('a table', () => {
  it('aligns its columns and has no trailing spaces', () =>
    expect(
      formatTerminalTable(
        pipe,
        [
          ['a', 'first'],
          ['longer', ''],
        ],
        columns,
      ),
    ).toBe('NAME    NOTE\na       first\nlonger\n'));

  it('aligns characters that are two columns wide', () =>
    expect(
      formatTerminalTable(
        pipe,
        [
          ['日本', 'x'],
          ['🎉', 'y'],
          ['abcde', 'z'],
        ],
        columns,
      ),
    ).toBe('NAME   NOTE\n日本   x\n🎉     y\nabcde  z\n'));

  it('truncates its last column to the width of the terminal, and no other column', () => {
    const rows = [['a-name', 'some longer note']] as const;
    expect(formatTerminalTable(terminalOf(20), rows, columns)).toBe(
      'NAME    NOTE\na-name  some longer…\n',
    );
    expect(formatTerminalTable(terminalOf(4), rows, columns)).toBe(
      'NAME    NOTE\na-name  some lo…\n',
    );
  });

  it('has one line for each row, for any text in the cells', () =>
    expect(formatTerminalTable(pipe, [['a\nb', '\u001B[31mred\u202E']], columns)).toBe(
      'NAME  NOTE\na\\nb  \\u001b[31mred\\u202e\n',
    ));
});

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['🎉', 2],
    ['👩‍👩‍👧', 2],
    ['é', 1],
  ])('counts the columns of %s', (text, width) => expect(computeTextWidth(text)).toBe(width));
  it.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'abcd…'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
  ])('cuts %s to %i', (text, width, cut) => expect(truncateToWidth(text, width)).toBe(cut));
});

describe('colours', () => {
  const terminal = { write: () => undefined, isTerminal: true, columns: 80 };
  it('are used on a terminal', () =>
    expect(createStyle({ stdout: terminal, env: {} })('red', 'x')).toBe('\u001B[31mx\u001B[39m'));
  it.each([
    [{ ...terminal, isTerminal: false }, {}],
    [terminal, { NO_COLOR: '1' }],
    [terminal, { TERM: 'dumb' }],
  ])('are not used otherwise', (output, env) =>
    expect(createStyle({ stdout: output, env })('red', 'x')).toBe('x'),
  );
  it('are used with an empty NO_COLOR, as no-color.org defines', () =>
    expect(createStyle({ stdout: terminal, env: { NO_COLOR: '' } })('bold', 'x')).toBe(
      '\u001B[1mx\u001B[22m',
    ));
});

describe('a result', () => {
  it('has indented JSON where that preserves the value', () => {
    expect(indentJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(indentJson('{"id":12345678901234567890}')).toBe('{"id":12345678901234567890}');
    expect(indentJson('{ "a": 1 }')).toBe('{ "a": 1 }');
    expect(indentJson('plain')).toBe('plain');
  });
  it('describes items without text', () =>
    expect(
      formatToolResult({
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
          { type: 'resource_link', uri: 'file:///a' },
        ],
      }),
    ).toBe('a\n[image image/png, 4 characters of base64]\n[resource_link file:///a]\n'));
});
