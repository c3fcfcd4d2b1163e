import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePath } from '../../src/syntax/parse-path.ts';

const key = (name: string) => ({ kind: 'key', key: name });
const index = (at: number) => ({ kind: 'index', index: at });

describe('a path of steps', () => {
  it.each([
    ['name', [key('name')]],
    ['.name', [key('name')]],
    ['items[0].name', [key('items'), index(0), key('name')]],
    ['items[0][12]', [key('items'), index(0), index(12)]],
    ['[0].a', [index(0), key('a')]],
    ['labels["a.b/c"]', [key('labels'), key('a.b/c')]],
    ["labels['it is']", [key('labels'), key('it is')]],
    ['["\\u00e9\\""]', [key('é"')]],
    ['my-id.x_1', [key('my-id'), key('x_1')]],
    ['a b.c/d:e', [key('a b'), key('c/d:e')]],
    ['$ref.x', [key('$ref'), key('x')]],
    ['0.1', [key('0'), key('1')]],
    ['__proto__.constructor', [key('__proto__'), key('constructor')]],
  ])('%s', (text, steps) => {
    expect(parsePath(text)).toEqual({ ok: true, value: { kind: 'steps', steps, written: text } });
  });

  it.each([
    ['', 'path is empty'],
    ['.', "empty segment in path '.'"],
    ['a.', "empty segment in path 'a.'"],
    ['a..b', "empty segment in path 'a..b'"],
    ['..a', "empty segment in path '..a'"],
    ['a.[0]', "empty segment in path 'a.[0]'"],
    ['a[0].', "empty segment in path 'a[0].'"],
    ['a[', "unterminated index in path 'a['"],
    ['a[0', "unterminated index in path 'a[0'"],
    ['a["b', "unterminated index in path 'a[\"b'"],
    ['a[x]', 'invalid array index "x" in path \'a[x]\''],
    ['a[]', 'invalid array index "" in path \'a[]\''],
    ['a[-1]', 'invalid array index "-1" in path \'a[-1]\''],
    ['a[1.5]', 'invalid array index "1.5" in path \'a[1.5]\''],
    [
      'a[9999999999999999]',
      'invalid array index "9999999999999999" in path \'a[9999999999999999]\'',
    ],
    ['a[0]b', "invalid index syntax in path 'a[0]b'"],
    ['a]', "invalid index syntax in path 'a]'"],
    ['a["b"c]', 'invalid array index ""b"c" in path \'a["b"c]\''],
  ])('refuses %j', (text, error) => {
    expect(parsePath(text)).toEqual({ ok: false, error });
  });

  it('refuses a path of more than 4,096 characters', () => {
    expect(parsePath('a'.repeat(4096)).ok).toBe(true);
    expect(parsePath('a'.repeat(4097))).toEqual({
      ok: false,
      error: 'path has more than 4096 characters',
    });
  });
});

describe('JSONPath', () => {
  it.each([
    '$',
    '$.a.b',
    '$..name',
    '$.*',
    '$..*',
    '$.items[*].name',
    '$.items[0]',
    '$.items[-1]',
    '$.items[0,2]',
    '$.items[1:3]',
    '$.items[::2]',
    '$.items[:-1]',
    "$['a b']['c.d']",
    '$["a","b"]',
    '$..[0]',
    '$.my-id',
  ])('takes %s', (text) => {
    expect(parsePath(text)).toMatchObject({
      ok: true,
      value: { kind: 'json-path', written: text },
    });
  });

  it('is read into segments of selectors', () => {
    expect(parsePath('$.a..*[-1, "x"][1:]..[\'y\']')).toEqual({
      ok: true,
      value: {
        kind: 'json-path',
        segments: [
          { descends: false, selectors: [{ kind: 'name', name: 'a' }] },
          { descends: true, selectors: [{ kind: 'all' }] },
          {
            descends: false,
            selectors: [
              { kind: 'index', index: -1 },
              { kind: 'name', name: 'x' },
            ],
          },
          { descends: false, selectors: [{ kind: 'slice', written: '1:' }] },
          { descends: true, selectors: [{ kind: 'name', name: 'y' }] },
        ],
        written: '$.a..*[-1, "x"][1:]..[\'y\']',
      },
    });
  });

  it.each([
    ['$.a[?(@.b)]', "filters and scripts are not allowed in path '$.a[?(@.b)]'"],
    ['$.a[?@.b > 1]', "filters and scripts are not allowed in path '$.a[?@.b > 1]'"],
    ['$.a[(@.length-1)]', "filters and scripts are not allowed in path '$.a[(@.length-1)]'"],
    ['$..a^', "filters and scripts are not allowed in path '$..a^'"],
    ['$.a~', "filters and scripts are not allowed in path '$.a~'"],
    ['$.a@string()', "filters and scripts are not allowed in path '$.a@string()'"],
    ['$.`a', "filters and scripts are not allowed in path '$.`a'"],
    ['$[', 'unexpected "[" at character 2 in path \'$[\''],
    ['$.', 'unexpected "." at character 2 in path \'$.\''],
    ['$.a[b]', 'unexpected "[b]" at character 4 in path \'$.a[b]\''],
    ['$.a b', 'unexpected " b" at character 4 in path \'$.a b\''],
    ['$[::-1]', 'unexpected "[::-1]" at character 2 in path \'$[::-1]\''],
    ['$...a', 'unexpected "...a" at character 2 in path \'$...a\''],
  ])('refuses %s', (text, error) => {
    expect(parsePath(text)).toEqual({ ok: false, error });
  });
});

describe('any text', () => {
  it('is a path or has a problem in one line', () => {
    const piece = fc.constantFrom(' ', ...'$ . [ ] " \' * : , ? ( @ 0 - a \\ é'.split(' '));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const parsed = parsePath(text);
        if (parsed.ok)
          expect(parsed.value.kind === 'steps' && parsed.value.steps.length === 0).toBe(false);
        else expect(parsed.error).toMatch(/^[^\n]+$/);
      }),
      { numRuns: 5000 },
    );
  });

  it('is read in linear time', () => {
    for (const part of ['[', '["', '$.', '[0]', '.a', '[1,', "['", '[ ', '[-', '[0:']) {
      for (const start of ['', '$', '$.a[']) {
        const text = start + part.repeat(Math.floor(4000 / part.length));
        const started = performance.now();
        parsePath(text);
        expect(performance.now() - started, part).toBeLessThan(1000);
      }
    }
  });
});
