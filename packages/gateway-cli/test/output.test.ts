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

type Row = readonly [string, string];
const COLUMNS: readonly Column<Row>[] = [
  { title: 'NAME', cell: ([name]) => name },
  { title: 'NOTE', cell: ([, note]) => note },
];
const CUT: Row = ['a-name', 'some longer note'];
const ESCAPED: Row = ['a\nb', '\u001B[31mred\u202E'];

it.each<[string, readonly Row[], number | undefined, string]>([
  [
    'aligns its columns and has no trailing spaces',
    [
      ['a', 'first'],
      ['longer', ''],
    ],
    undefined,
    'NAME    NOTE\na       first\nlonger\n',
  ],
  [
    'aligns characters that are two columns wide',
    [
      ['日本', 'x'],
      ['🎉', 'y'],
      ['abcde', 'z'],
    ],
    undefined,
    'NAME   NOTE\n日本   x\n🎉     y\nabcde  z\n',
  ],
  ['truncates its last column', [CUT], 20, 'NAME    NOTE\na-name  some longer…\n'],
  ['truncates no other column', [CUT], 4, 'NAME    NOTE\na-name  some lo…\n'],
  ['has one line for each row', [ESCAPED], undefined, 'NAME  NOTE\na\\nb  \\u001b[31mred\\u202e\n'],
])('a table %s', (_rule, rows, terminal, text) => {
  const env = { NO_COLOR: '1' };
  const io = createBufferedIo(terminal === undefined ? undefined : { terminal, env });
  expect(formatTerminalTable(io, rows, COLUMNS)).toBe(text);
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
  it.each([
    [terminal, {}, '\u001B[31mx\u001B[39m'],
    // As no-color.org defines.
    [terminal, { NO_COLOR: '' }, '\u001B[31mx\u001B[39m'],
    [{ ...terminal, isTerminal: false }, {}, 'x'],
    [terminal, { NO_COLOR: '1' }, 'x'],
    [terminal, { TERM: 'dumb' }, 'x'],
  ])('are used on a terminal without NO_COLOR only: %j %j', (stdout, env, text) =>
    expect(createStyle({ stdout, env })('red', 'x')).toBe(text),
  );
  it('have bold', () =>
    expect(createStyle({ stdout: terminal, env: {} })('bold', 'x')).toBe('\u001B[1mx\u001B[22m'));
});

describe('a result', () => {
  it.each([
    ['{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'],
    ['{"id":12345678901234567890}', '{"id":12345678901234567890}'],
    ['{ "a": 1 }', '{ "a": 1 }'],
    ['plain', 'plain'],
  ])('has indented JSON where that preserves the value: %s', (text, indented) =>
    expect(indentJson(text)).toBe(indented),
  );
  it('describes items without text', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
      { type: 'resource_link', uri: 'file:///a' },
    ];
    expect(formatToolResult({ content })).toBe(
      'a\n[image image/png, 4 characters of base64]\n[resource_link file:///a]\n',
    );
  });
});
