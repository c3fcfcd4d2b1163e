import { JSONPath } from 'jsonpath-plus';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '@gateway/crd-schemas';
import {
  findByJsonPath,
  findInJsonText,
  type JsonPathFind,
  type JsonTextFind,
  type SearchLimits,
} from '../../src/expectations/json-path.ts';
import { anyJson, fc, test } from '../fast-check.ts';
import { queryOf } from './query-of.ts';

/** Returns what was found in JSON text, parsed. */
const parsed = (found: JsonTextFind): JsonPathFind =>
  found.kind === 'found'
    ? { kind: 'found', value: JSON.parse(Buffer.from(found.json).toString()) as JsonValue }
    : found;

const find = (expression: string, document: unknown, limits?: SearchLimits): JsonPathFind => {
  const query = queryOf(expression);
  if (query === undefined) throw new Error(`no path: ${expression}`);
  return findByJsonPath(query, document as JsonValue, limits);
};

/** What is found, or the word for nothing. */
const found = (expression: string, document: unknown): unknown => {
  const answer = find(expression, document);
  return answer.kind === 'found' ? answer.value : answer.kind;
};

const store = {
  book: [
    { title: 'Sayings', price: 8.95, 'in,out': 1 },
    { title: 'Sword', price: 12.99 },
    { title: 'Moby Dick', price: 8.99, tags: ['sea', 'whale'] },
  ],
  bicycle: { price: 19.95, gears: null },
  'a.b': { 'c;d': 4, "it's": 5 },
};

describe('JSONPath', () => {
  const cases: readonly (readonly [path: string, value: unknown])[] = [
    ['$', store],
    ['$.bicycle.price', 19.95],
    ['$.bicycle.gears', null],
    ['$.book[0].title', 'Sayings'],
    ['$.book[-1].title', 'Moby Dick'],
    ["$['bicycle']['price']", 19.95],
    ['$["a.b"]["c;d"]', 4],
    [`$["a.b"]["it's"]`, 5],
    ['$.book[0]["in,out"]', 1],
    ['$.book[*].price', [8.95, 12.99, 8.99]],
    ['$.book[0,2].title', ['Sayings', 'Moby Dick']],
    ['$.book[0:2].title', ['Sayings', 'Sword']],
    ['$.book[-2:].title', ['Sword', 'Moby Dick']],
    ['$.book[::2].title', ['Sayings', 'Moby Dick']],
    ['$.book[:1:].title', ['Sayings']],
    ['$.book[:].title', ['Sayings', 'Sword', 'Moby Dick']],
    ['$.book[ 0 , 1 ].price', [8.95, 12.99]],
    ['$..price', [8.95, 12.99, 8.99, 19.95]],
    ['$..book[1].title', ['Sword']],
    ["$..['price','gears']", [8.95, 12.99, 8.99, 19.95, null]],
    ['$.book..tags[*]', ['sea', 'whale']],
    ['$.*.price', [19.95]],
    ['$.bicycle[*]', [19.95, null]],
  ];

  it.each(cases)('finds %s', (path, value) => {
    expect(found(path, store)).toEqual(value);
  });

  const missing =
    '$.car $.book[3] $.book[-4] $.book.title $.bicycle[0] $.bicycle.price.cents $..car $.book[5:] $.book[*].isbn $["bicycle.price"]';
  it.each(missing.split(' '))('does not find %s', (path) => {
    expect(found(path, store)).toBe('missing');
  });

  it('finds one value by names and indexes, and a list by everything else', () => {
    expect(found('$.a[0]', { a: [[1]] })).toEqual([1]);
    expect(found('$.a[0:1]', { a: [[1]] })).toEqual([[1]]);
    expect(found('$..a', { a: [1] })).toEqual([[1]]);
    expect(found('$..a', { a: 1 })).toEqual([1]);
  });

  it('finds the root whatever it is, and nothing below what is no object and no list', () => {
    for (const root of [null, 0, '', false, 'text', 5]) {
      expect(found('$', root)).toBe(root);
      expect(found('$.length', root)).toBe('missing');
      expect(found('$[0]', root)).toBe('missing');
      expect(found('$..*', root)).toBe('missing');
    }
  });
});

describe('only own members are there', () => {
  it('of objects', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(found(`$.${name}`, {})).toBe('missing');
      expect(found(`$..${name}`, { a: {} })).toBe('missing');
      expect(found(`$.a.${name}.name`, { a: [] })).toBe('missing');
    }
  });

  it('of lists and texts: a length is no member', () => {
    expect(found('$.list.length', { list: [1] })).toBe('missing');
    expect(found('$.text.length', { text: 'abc' })).toBe('missing');
    expect(found('$.text[0]', { text: 'abc' })).toBe('missing');
    expect(found('$..length', { list: [1], text: 'abc' })).toBe('missing');
  });

  it('and all of them are, whatever they are called', () => {
    const names = ['__proto__', 'constructor', 'length', '*', 'k0', '=a', '$', '..', 'a,b', '?(@)'];
    const document = Object.fromEntries(names.map((name, at) => [name, at]));
    const values = names.map((_name, at) => at);
    expect(names.map((name) => found(`$['${name}']`, document))).toEqual(values);
    expect(found('$.*', document)).toEqual(values);
    expect(found('$.k1', document)).toBe('missing');
    expect(found("$['a','b']", document)).toBe('missing');
    expect(found("$[*]['*']", { x: { '*': 1, y: 2 } })).toEqual([1]);
    expect(found('$[*][*]', { x: { '*': 1, y: 2, '': 3 } })).toEqual([1, 2, 3]);
  });
});

// The parser of paths refuses filters and scripts.
describe('what would run as code', () => {
  it('is not reached by keys: they are never read as syntax', () => {
    const key = '?(globalThis.ran = true)';
    expect(found(`$["${key}"]`, { [key]: 1 })).toBe(1);
    expect(found(`$["${key}"]`, { a: 1 })).toBe('missing');
    expect(found(`$[*]["${key}"]`, { a: { b: 1 } })).toBe('missing');
    expect(Object.hasOwn(globalThis, 'ran')).toBe(false);
  });
});

const refused = (path: string) => ({
  kind: 'refused',
  text: `path '${path}' leads to too many places, or more than 200 levels deep`,
});

describe('the bounds of a search', () => {
  const wide = Array.from({ length: 400 }, (_, at) => Array.from({ length: 400 }, () => ({ at })));
  const deepValue = (levels: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level += 1) value = { a: value };
    return value;
  };

  it('leave room for documents that are large', () => {
    const items = Array.from({ length: 10_000 }, (_, id) => ({ id }));
    const ids = found('$.items[*].id', { items }) as readonly number[];
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([10_000, 0, 9_999]);
  });

  it('end a search that looks at too much, and say so', () => {
    for (const path of ['$..at', '$..*..*..*', '$..[*]..[*]..[0]']) {
      const started = performance.now();
      expect(find(path, wide)).toEqual(refused(path));
      expect(performance.now() - started).toBeLessThan(10_000);
    }
    expect(find('$..b', deepValue(202))).toEqual(refused('$..b'));
    expect(find('$..b', deepValue(100_000))).toEqual(refused('$..b'));
  });

  it('count every look', () => {
    const limits = (maxVisits: number) => ({ maxVisits, maxDepth: 200 });
    expect(find('$.a', { a: 1 }, limits(1))).toEqual(refused('$.a'));
    expect(find('$.a', { a: 1 }, limits(2))).toEqual({ kind: 'found', value: 1 });
  });

  it('count together where they belong together', () => {
    const shared = { left: 5 };
    const limits = { maxVisits: 100, maxDepth: 200, shared };
    const found = ['$.a', '$.a', '$.a'].map((path) => find(path, { a: 1 }, limits).kind);
    expect(found).toEqual(['found', 'found', 'refused']);
  });

  it('go down 200 levels and no further', () => {
    const names = (count: number) => '.a'.repeat(count);
    expect(find(`$${names(199)}`, deepValue(199))).toEqual({ kind: 'found', value: 1 });
    expect(find(`$${names(200)}`, deepValue(202))).toEqual({
      kind: 'found',
      value: { a: { a: 1 } },
    });
    expect(find(`$${names(201)}`, deepValue(202)).kind).toBe('refused');
  });

  it('count names that are not there', () => {
    const names = Array.from({ length: 500 }, (_unused, at) => `'n${at}'`).join();
    expect(find(`$[*][*][${names}]`, wide).kind).toBe('refused');
  });

  it('hold for the longest path, too', () => {
    const path = `$${'..*'.repeat(1365)}`;
    const started = performance.now();
    const answer = find(path, wide);
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(answer).toEqual(refused(`${path.slice(0, 200)}...`));
  });
});

describe('any document', () => {
  const placesOf = (value: JsonValue): readonly (readonly (string | number)[])[] => {
    if (typeof value !== 'object' || value === null) return [[]];
    const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    return [
      [],
      ...members.flatMap(([key, member]) =>
        placesOf(member as JsonValue).map((rest) => [key, ...rest]),
      ),
    ];
  };
  const at = (value: unknown, place: readonly (string | number)[]): unknown =>
    place.reduce<unknown>(
      (inside, key) => (inside as Record<string | number, unknown>)[key],
      value,
    );

  test('gives each of its values at its place', anyJson, (document) => {
    for (const place of placesOf(document)) {
      const quotable = place.every((key) => typeof key === 'number' || !/['\]\\]/.test(key));
      if (!quotable) continue;
      const path = place
        .map((key) => (typeof key === 'number' ? `[${key}]` : `['${key}']`))
        .join('');
      expect(found(`$${path}`, document)).toEqual(at(document, place));
    }
  });

  test('has as many values below it as it has', anyJson, (document) => {
    const below = placesOf(document).length - 1;
    const all = find('$..*', document);
    expect(all.kind === 'found' ? (all.value as readonly unknown[]).length : 0).toBe(below);
  });

  const key = fc.constantFrom('a', 'b', 'c');
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.integer({ min: 0, max: 9 }),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  const index = fc.integer({ min: 0, max: 3 });
  const segment = fc.oneof(
    key.map((name) => `.${name}`),
    key.map((name) => `..${name}`),
    index.map((at) => `[${String(at)}]`),
    fc.constantFrom('.*', '..*', '[*]', '[0:2]', '[1:]', '[0,1]', "['a','b']"),
  );
  const path = fc
    .array(segment, { minLength: 1, maxLength: 4 })
    .map((parts) => `$${parts.join('')}`);

  test('finds what jsonpath-plus finds', fc.tuple(path, tree), ([expression, json]) => {
    const expected: unknown = JSONPath({
      path: expression,
      json: json as object,
      eval: false,
      wrap: true,
    });
    const answer = find(expression, json);
    const value = answer.kind === 'found' ? answer.value : [];
    const isOne = /^\$(?:\.\w+|\[\d+\])*$/u.test(expression);
    expect(isOne && answer.kind === 'found' ? [value] : value).toEqual(expected ?? []);
  });

  test('finds the same in JSON text', fc.tuple(path, tree), async ([expression, json]) => {
    const text = Buffer.from(JSON.stringify(json, undefined, 1));
    expect(parsed(await findInJsonText(expression, text))).toEqual(find(expression, json));
  });
});

describe('a path in JSON text', () => {
  const inText = async (path: string, json: string) =>
    parsed(await findInJsonText(path, Buffer.from(json)));

  it.each([
    ['$.a[1].b', '{"a":[0,{"b":"x"}]}', 'x'],
    ['a[1].b', '{"a":[0,{"b":"x"}]}', 'x'],
    ['["a.b"].__proto__', '{"a.b":{"__proto__":1}}', 1],
    ["$['é']", '{"\\u00e9":null}', null],
    ['$.a[1:3].b', '{"a":[{},{"b":1},{"b":2},{"b":3}]}', [1, 2]],
    ['$.a', '{"a":1,"a":2}', 2],
  ])('finds %s in %s', async (path, json, value) => {
    expect(await inText(path, json)).toEqual({ kind: 'found', value });
  });

  it.each([
    ['$.toString', '{}'],
    ['$.a[0]', '{"a":{"b":1}}'],
    ['$.a.b', '{"a":["b"]}'],
    ['$[2:1]', '[1,2,3]'],
  ])('finds nothing at %s in %s', async (path, json) => {
    expect(await inText(path, json)).toEqual({ kind: 'missing' });
  });

  it('parses only the part that names, indexes and a slice lead to', async () => {
    const rows = Array.from({ length: 200_000 }, (_, id) => `{"id":${id}}`).join();
    const json = `{"rows":[${rows}],"total":200000}`;
    expect(await inText('$.total', json)).toEqual({ kind: 'found', value: 200_000 });
    expect(await inText('$.rows[199999].id', json)).toEqual({ kind: 'found', value: 199_999 });
    expect(await inText('$.rows[5:7].id', json)).toEqual({ kind: 'found', value: [5, 6] });
    expect(await inText('$', json)).toMatchObject({ kind: 'found', value: { total: 200_000 } });
    expect(await inText('$.rows[*].id', json)).toEqual({
      kind: 'refused',
      text: "the JSON at path '$.rows[*].id': it has more than 250000 members, objects and arrays, which is too much to parse",
    });
  });

  it('refuses what is no path, and code', async () => {
    expect(await inText('', '{}')).toEqual({ kind: 'refused', text: 'path is empty' });
    expect(await inText('$[?(@.a)]', '[]')).toEqual({
      kind: 'refused',
      text: "filters and scripts are not allowed in path '$[?(@.a)]'",
    });
  });
});
