import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { JsonObject } from '@gateway/call-contract';
import { toDisplayEntry, toDisplayText } from '../src/lists/list-entry.ts';

const bounds = { maxEntryChars: 2_000, maxDescriptionChars: 100 };
const listed = (entry: JsonObject, label?: string): unknown => {
  const shown = toDisplayEntry(entry, bounds, label);
  return shown.ok ? shown.entry : undefined;
};
const HIDDEN = ['\u0000', '\u202e', '\u{e0041}', '\ufe0f', '\u200d', '\u200c'];
const pieces = fc.constantFrom('a', ' ', '\r', '\n', '😀', '\ud83d', '\ude00', ...HIDDEN);
const texts = fc.array(pieces, { maxLength: 200 }).map((all) => all.join(''));
const tool = (rest: object) => ({ name: 't', inputSchema: { type: 'object' }, ...rest });

describe('a description', () => {
  it.each([
    ['a control character', 'a\u0000b\u001b[31mc\u007f\u0085', 'ab[31mc'],
    ['a bidirectional control', 'a\u202eb\u2066c\u200fd\u061ce', 'abcde'],
    ['a tag that only a model reads', 'a\u{e0001}\u{e0049}\u{e0047}\u{e007f}b', 'ab'],
    ['a character without width', 'a\u200bb\u2060c\ufeffd', 'abcd'],
    ['half a surrogate pair, which no UTF-8 can hold', 'a\ud800b\udc00', 'ab'],
    ['a letter that shows nothing', 'a\u3164b\u115f\u17b4\u180e\u034f\u{1d173}\u00adc', 'abc'],
    ['data in joiners', 'a\u200c\u200db\u200dé\u200c\u200d\u200cé', 'abé\u200cé'],
    ['data in variation selectors', 'a\ufe0f\ufe01\ufe02b\u{e0101}', 'a\ufe0fb'],
  ])('loses %s', (_what, text, shown) =>
    expect(listed(tool({ description: text }))).toEqual(tool({ description: shown })),
  );

  it('preserves tabs, line feeds, joiners, emoji and every language', () => {
    const entry = tool({ description: 'a\n\tb 👩‍💻 ❤️ نام‌ابزار 工具 é' });
    expect(listed(entry)).toBe(entry);
  });

  it('has plain line ends', () =>
    expect(listed(tool({ description: 'a\r\nb\rc' }))).toEqual(tool({ description: 'a\nb\nc' })));

  it('is cut with a mark when it is too long, and not at its bound', () => {
    const [fits, long] = ['a'.repeat(100), 'a'.repeat(101)];
    expect(listed(tool({ description: fits }))).toEqual(tool({ description: fits }));
    expect(listed(tool({ description: long }))).toEqual(
      tool({ description: `${'a'.repeat(59)} [... cut by the gateway: 101 characters]` }),
    );
  });

  it('is never cut in the middle of a character', () =>
    expect(toDisplayText('😀'.repeat(60), 100)).toBe(
      `${'😀'.repeat(29)} [... cut by the gateway: 120 characters]`,
    ));

  it('is cut although it is longer than an entry may be', () =>
    expect(listed(tool({ description: 'a'.repeat(5_000) }))).toMatchObject({ name: 't' }));

  it('holds nothing hidden afterwards, and is the same when it is cleaned again', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const shown = toDisplayText(text, 150);
        expect(shown.length).toBeLessThanOrEqual(150);
        expect(toDisplayText(shown, 150)).toBe(shown);
        expect(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(shown),
        ).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe('an entry', () => {
  it('is cleaned where readers read: titles, annotations, schemas at every level, arguments of prompts', () => {
    const dirty = 'a\u202eb';
    const entryWith = (text: string) => ({
      name: dirty,
      title: text,
      annotations: { title: text, readOnlyHint: true },
      arguments: [{ name: dirty, description: text }],
      inputSchema: {
        properties: {
          description: { type: 'string', description: text },
          default: { title: text, items: [{ $comment: text }] },
        },
        $defs: { enum: { description: text } },
      },
    });
    expect(listed(entryWith(dirty))).toEqual(entryWith('ab'));
  });

  it('leaves names and data unchanged, because they are sent back to the server', () => {
    const dirty = 'a\u202eb';
    const entry = tool({
      name: dirty,
      _meta: { description: dirty },
      icons: [{ src: 'data:,', title: dirty }],
      inputSchema: {
        required: [dirty],
        properties: {
          [dirty]: {
            const: dirty,
            default: { description: dirty },
            enum: [dirty, { title: dirty }],
            examples: [{ description: dirty }],
            pattern: dirty,
          },
        },
      },
    });
    expect(listed(entry)).toBe(entry);
  });

  it('of a resource has a name that only readers use', () => {
    const resource = { uri: 'a:\u202eb', name: 'a\u202eb' };
    expect(listed(resource, 'name')).toEqual({ uri: 'a:\u202eb', name: 'ab' });
    expect(listed(resource)).toBe(resource);
  });

  it('preserves members of any name', () => {
    const text = '{"name":"t","inputSchema":{"properties":{"__proto__":{"title":"a\\u0000"}}}}';
    expect(JSON.stringify(listed(JSON.parse(text)))).toBe(
      '{"name":"t","inputSchema":{"properties":{"__proto__":{"title":"a"}}}}',
    );
  });

  it('is left out when it is too long as a whole, and not just below', () => {
    const sized = (chars: number) => tool({ x: 'a'.repeat(chars) });
    // The names and the other values take 37.
    expect(listed(sized(1_963))).toEqual(sized(1_963));
    expect(listed(sized(1_964))).toBeUndefined();
    expect(listed(tool({ x: Array.from({ length: 1_000 }, () => ({})) }))).toBeUndefined();
  });

  it('is left out when it is nested more than 128 levels deep', () => {
    const nested = (levels: number) =>
      JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
    expect(listed(tool({ x: nested(127) }))).toBeDefined();
    expect(listed(tool({ x: nested(128) }))).toBeUndefined();
    expect(listed(tool({ x: nested(100_000) }))).toBeUndefined();
  });
});
