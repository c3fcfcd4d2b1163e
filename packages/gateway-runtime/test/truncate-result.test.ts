import type { JsonObject } from '@gateway/call-contract';
import { JsonScan, RawObject } from '@gateway/mcp-wire';
import { describe, expect, it } from 'vitest';
import { truncateResult, findPage, mayExceed } from '../src/calls/truncate-result.ts';

const toRaw = (result: object): RawObject => toRawText(JSON.stringify(result));

/** Returns a string as JSON with an escape for every code unit. */
const toEscapes = (text: string): string => {
  const units = Buffer.from(text, 'utf16le').swap16().toString('hex');
  return `"${units.replaceAll(/.{4}/gu, '\\u$&')}"`;
};

const toRawText = (json: string): RawObject => {
  const bytes = Buffer.from(json);
  const scan = new JsonScan(bytes, { members: { isError: {} } });
  scan.advance();
  const raw = scan.root && RawObject.at(bytes, scan.root);
  if (raw === undefined) throw new Error('no object');
  return raw;
};

const textItem = (text: string): JsonObject => ({ type: 'text', text });
const textResult = (...texts: string[]): JsonObject => ({ content: texts.map(textItem) });

const LIMITS = { maxBytes: 20, shownBytes: 8 };
const cut = async (result: JsonObject, limits = LIMITS) => {
  const parts = await truncateResult(toRaw(result), limits);
  expect(await truncateResult(result, limits)).toEqual(parts);
  return parts && { ...parts, text: String(parts.text), json: parts.json && String(parts.json) };
};
const shapeOf = async (value: unknown): Promise<string | undefined> =>
  (await cut(textResult(JSON.stringify(value)), { maxBytes: 1, shownBytes: 1 }))?.shape;

describe('a result that may have too much text', () => {
  it('is one whose text from the server is longer than the limit', () => {
    const raw = toRaw(textResult('ab'));
    expect(raw.text).toHaveLength(41);
    expect([40, 41].map((maxBytes) => mayExceed(raw, maxBytes))).toEqual([true, false]);
  });

  it('is one of the gateway whose characters may take more bytes than the limit', () => {
    const own = textResult('ab', 'c');
    expect([8, 9].map((maxBytes) => mayExceed(own, maxBytes))).toEqual([true, false]);
  });
});

describe('a cut result', () => {
  it('has the first bytes of its text, and is whole up to the limit', async () => {
    expect(await cut(textResult('a'.repeat(20)))).toBeUndefined();
    expect(await cut(textResult('a'.repeat(21)))).toEqual({
      result: textResult('aaaaaaaa'),
      text: 'a'.repeat(21),
      shownBytes: 8,
      json: undefined,
      shape: undefined,
    });
  });

  it('ends between characters', async () => {
    expect(await cut(textResult('a\u{1f600}\u{1f600}é'.repeat(3)))).toMatchObject({
      result: textResult('a\u{1f600}'),
      shownBytes: 5,
    });
  });

  it('has no more than the limit where that is less', async () => {
    const parts = await cut(textResult('abcdef'), { maxBytes: 3, shownBytes: 8 });
    expect(parts).toMatchObject({ result: textResult('abc'), shownBytes: 3 });
  });

  it('has the first texts, and joins all of them with line breaks', async () => {
    const parts = await cut(textResult('abcde', '', 'fghij', 'klmnopqrstuvw'));
    expect(parts).toMatchObject({
      result: textResult('abcde', '', 'f'),
      text: 'abcde\n\nfghij\nklmnopqrstuvw',
      shownBytes: 8,
    });
  });

  it('keeps images, other members and what else is in an item', async () => {
    const image = { type: 'image', data: 'x'.repeat(40), mimeType: 'image/png' };
    const resource = { uri: 'file:///a', text: 'b'.repeat(30), _meta: { c: 1 } };
    const result = { content: [image, { type: 'resource', resource }], _meta: { d: 2 }, e: [3] };
    const shown = { ...resource, text: 'b'.repeat(8) };
    expect(await cut(result)).toMatchObject({
      result: { ...result, content: [image, { type: 'resource', resource: shown }] },
      text: 'b'.repeat(30),
    });
    expect(await cut({ content: [image, textItem('short')] })).toBeUndefined();
  });

  it('has names from outside as own members', async () => {
    const json = `{"__proto__":{"a":1},"content":[{"type":"text","text":"${'a'.repeat(30)}"}]}`;
    const parts = await cut(JSON.parse(json) as JsonObject);
    expect(JSON.stringify(parts?.result)).toBe(
      '{"__proto__":{"a":1},"content":[{"type":"text","text":"aaaaaaaa"}]}',
    );
  });

  it('has no structured content: the text has it, or it is read by path', async () => {
    const rows = { rows: ['a', 'b', 'c', 'd', 'e'] };
    const json = JSON.stringify(rows);
    const same = await cut({ ...textResult(json), structuredContent: rows });
    expect(same).toMatchObject({ result: textResult('{"rows":'), json });
    expect(same?.result).not.toHaveProperty('structuredContent');
    const text = 'Five rows, a to e, of which none is missing';
    expect(await cut({ ...textResult(text), structuredContent: rows })).toMatchObject({
      result: textResult('Five row'),
      text,
      json,
      shape: '{rows: [5 × string]}',
    });
  });

  it('is one with too much structured content, whatever its text', async () => {
    const structuredContent = { rows: ['a', 'b', 'c', 'd', 'e'] };
    const json = JSON.stringify(structuredContent);
    const counted = { text: '{"n":5}', shownBytes: 7, json, shape: '{rows: [5 × string]}' };
    expect(await cut({ ...textResult('{"n":5}'), structuredContent })).toEqual({
      ...counted,
      result: textResult('{"n":5}'),
    });
    expect(await cut({ structuredContent })).toMatchObject({ text: '', shownBytes: 0, json });
  });

  it.each([
    ['a', JSON.stringify],
    ['\u{1f600}', JSON.stringify],
    ['"', JSON.stringify],
    ['\\', JSON.stringify],
    ['b\\"\n', JSON.stringify],
    ['\u{1f600}', toEscapes],
    ['\udc00', toEscapes],
  ])('has the whole of a long text of %j', async (character, write) => {
    const text = `${character.repeat(1_200_000 / Buffer.byteLength(character))}a`;
    const raw = toRawText(`{"content":[{"type":"text","text":${write(text)}}]}`);
    const parts = await truncateResult(raw, LIMITS);
    expect(Buffer.from(text).equals(parts?.text ?? Buffer.alloc(0))).toBe(true);
  });

  it('is none of what the gateway cannot take apart', async () => {
    const many = Array.from({ length: 50_001 }, () => textItem('a'));
    expect(await cut({ content: many })).toBeUndefined();
    const rest = Array.from({ length: 250_001 }, () => ({}));
    expect(await cut({ ...textResult('a'.repeat(30)), rest })).toBeUndefined();
  });
});

describe('the shape of JSON', () => {
  it.each([
    [
      { a: 1, b: 'x', c: null, d: true, e: [] },
      '{a: number, b: string, c: null, d: boolean, e: []}',
    ],
    [[{ id: 1, tags: ['x', 'y'] }, { id: 2 }], '[2 × {id: number, tags: [2 × string]}]'],
    [
      { 'a b': 1, __proto__1: false, '"': -1 },
      '{"a b": number, __proto__1: boolean, "\\"": number}',
    ],
    [{ a: { b: { c: { d: {}, e: [1] } } } }, '{a: {b: {c: {d: {…}, e: […]}}}}'],
  ])('of %j', async (value, shape) => {
    expect(await shapeOf(value)).toBe(shape);
  });

  it.each(['text', 1, null])('is none of %j, which has no members', async (value) => {
    expect(await shapeOf(value)).toBeUndefined();
  });

  it('has the first names of many, and counts the rest', async () => {
    const names = Array.from({ length: 100 }, (_, index) => [`k${index}`, 1]);
    const shape = await shapeOf(Object.fromEntries(names));
    expect(shape).toMatch(/^\{k0: number, .*, k31: number, …68 more\}$/u);
  });

  it('has at most 1,500 bytes', async () => {
    const names = Array.from({ length: 32 }, (_, index) => [
      `${'\u{1f600}'.repeat(60)}${index}`,
      1,
    ]);
    const shape = (await shapeOf(Object.fromEntries(names))) ?? '';
    expect(Buffer.byteLength(shape)).toBeLessThanOrEqual(1_500 + '…'.length * 3);
    expect(shape.endsWith('…')).toBe(true);
  });
});

describe('a page of a text', () => {
  const TEXT = Buffer.from('aé\u{1f600}');

  it.each([
    [0, 2, 'a'],
    [0, 3, 'aé'],
    [1, 1, 'é'],
    [2, 1, 'é'],
    [3, 1, '\u{1f600}'],
    [6, 9, '\u{1f600}'],
    [7, 9, ''],
    [99, 1, ''],
  ])('from byte %d of %d bytes has whole characters: %j', (offset, limit, page) => {
    const { from, to } = findPage(TEXT, offset, limit);
    expect(TEXT.toString('utf8', from, to)).toBe(page);
  });
});
