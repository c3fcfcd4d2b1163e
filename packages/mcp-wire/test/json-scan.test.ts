import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  JsonScan,
  parseJson,
  PARSE_LIMITS,
  type JsonSlice,
  type RequestedParts,
} from '../src/index.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text);

const scanned = (text: string, requested?: RequestedParts, step = Infinity): JsonScan => {
  const scan = new JsonScan(bytesOf(text), requested);
  while (!scan.advance(step));
  return scan;
};

const isAccepted = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const cut = (text: string, slice: JsonSlice | undefined): string | undefined =>
  slice && bytesOf(text).subarray(slice.from, slice.to).toString();

const members = (...names: string[]): RequestedParts => ({
  members: Object.fromEntries(names.map((name) => [name, {}])),
});

describe('a scan accepts what JSON.parse accepts, and nothing else', () => {
  const VALUES = [' 1 ', '-0', '1e400', '1.10', '0.5e-3', 'true', '\t\n\r 0'];
  const TEXTS = ['"\\ud800"', '"é"', '"\\u0041"'];
  const CONTAINERS = ['{}', '[]', '{"a":1,"a":2}', '{"__proto__":{}}', '[[],{}]', '[1,2 , 3]'];

  it.each([...VALUES, ...TEXTS, ...CONTAINERS])('accepts %j', (text) => {
    expect(scanned(text).problem).toBeUndefined();
    expect(isAccepted(text)).toBe(true);
  });

  const NO_VALUES = ['', ' ', '01', '-', '1.', '.5', '1e', '+1', 'tru', 'nul', 'NaN', '1 2'];
  const NO_TEXTS = ['"\n"', '"\\x"', '"\\u12g4"', '"', "'a'", '"\\', '"\\u12', '"\u0000"'];
  const NO_OBJECTS = ['{', '{"a":1,}', '{a:1}', '{"a"}', '{"a":}', '{"a":1]', '{,}', '\ufeff{}'];
  const NO_ARRAYS = ['[1,]', '[1}', ']', '[,]', '{"a":1},"id":2', '\u00a01'];

  it.each([...NO_VALUES, ...NO_TEXTS, ...NO_OBJECTS, ...NO_ARRAYS])('refuses %j', (text) => {
    expect(scanned(text).problem).toBeDefined();
    expect(isAccepted(text)).toBe(false);
  });

  it('agrees for random and for mutated texts, in one step and in steps of any size', () => {
    const json = fc.json({ maxDepth: 5 });
    const put = fc.constantFrom(...Array.from('"{}[],:\\0e-.u\nt'), '');
    const mutated = fc.tuple(json, fc.nat(), fc.nat(3), put).map(([text, at, length, inserted]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + inserted + text.slice(place + length);
    });
    fc.assert(
      fc.property(fc.oneof(json, mutated), fc.integer({ min: 1, max: 9 }), (text, step) => {
        const expected = isAccepted(text);
        expect(scanned(text).problem === undefined).toBe(expected);
        expect(scanned(text, undefined, step).problem === undefined).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('agrees for long texts with any byte at any place', () => {
    const special = ['"', '\\', '\n', '\u0001', '\\"', '\\u00e9', '\u007f'];
    const character = fc.constantFrom('a', 'é', '\u{1f600}', ...special);
    const length = fc.integer({ min: 1_000, max: 1_060 });
    fc.assert(
      fc.property(length, character, fc.nat(12), fc.nat(7), (before, put, after, shift) => {
        const text = `"${'x'.repeat(before)}${put}${'y'.repeat(after)}"`;
        const bytes = Buffer.concat([Buffer.alloc(shift, 0x20), bytesOf(text)]).subarray(shift);
        const scan = new JsonScan(bytes);
        while (!scan.advance(97));
        expect(scan.problem === undefined).toBe(isAccepted(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a scan finds the requested parts', () => {
  it('returns the text of a member as it was written', () => {
    const text = '{"id": 1, "result" : {"n":7960607143101464576,"b":1e400,"c":1.10} }';
    const { root } = scanned(text, members('result'));
    expect(cut(text, root?.members?.['result'])).toBe(
      '{"n":7960607143101464576,"b":1e400,"c":1.10}',
    );
    expect(root?.members?.['id']).toBeUndefined();
  });

  it('knows a member by its name, however the name is written', () => {
    const text = '{"\\u005fmeta":{"a":1}}';
    expect(cut(text, scanned(text, members('_meta')).root?.members?.['_meta'])).toBe('{"a":1}');
  });

  it('takes the last of members with one name, as JSON.parse does', () => {
    const text = '{"a":1,"a":[2]}';
    expect(cut(text, scanned(text, members('a')).root?.members?.['a'])).toBe('[2]');
  });

  it('finds members of members and counts all members in them', () => {
    const requested = { members: { result: members('_meta', 'isError') } };
    const text =
      '{"x":{"result":{"_meta":0}},"result":{"_meta":{"a":{"b":[{"c":1}]},"d":2},"isError":true,"z":[{"isError":false}]}}';
    const result = scanned(text, requested).root?.members?.['result'];
    expect(cut(text, result?.members?.['_meta'])).toBe('{"a":{"b":[{"c":1}]},"d":2}');
    expect(result?.members?.['_meta']?.names).toBe(4);
    expect(cut(text, result?.members?.['isError'])).toBe('true');
  });

  it('returns the elements of a list', () => {
    const requested = { members: { tools: { elements: members('name') } } };
    const text = '{"tools":[{"name":"a","é":1}, 2 ,[{"name":"c"}],{"name":"b"}]}';
    const elements = scanned(text, requested).root?.members?.['tools']?.elements;
    expect(elements?.map((element) => cut(text, element))).toEqual([
      '{"name":"a","é":1}',
      '2',
      '[{"name":"c"}]',
      '{"name":"b"}',
    ]);
    expect(elements?.map((element) => cut(text, element.members?.['name']))).toEqual([
      '"a"',
      undefined,
      undefined,
      '"b"',
    ]);
  });

  it.each([
    ['[{"a":1},{"a":2},3,{"a":4}]', ['{"a":2}', '3'], ['2', undefined]],
    ['{"x":{"b":0},"y":{"a":[]},"z":"","w":1}', ['{"a":[]}', '""'], ['[]', undefined]],
    ['[[]]', [], []],
  ])('counts all parts of %s and returns those in a range', (text, parts, names) => {
    const { root } = scanned(text, { elements: members('a'), range: [1, 3] });
    expect(root?.length).toBe(text === '[[]]' ? 1 : 4);
    expect(root?.elements?.map((part) => cut(text, part))).toEqual(parts);
    expect(root?.elements?.map((part) => cut(text, part.members?.['a']))).toEqual(names);
  });

  it('finds the same parts in steps of any size', () => {
    const json = fc.json({ maxDepth: 4 });
    fc.assert(
      fc.property(json, json, fc.integer({ min: 1, max: 9 }), (first, second, step) => {
        const text = `{"a":${first},"b":{"c":${second}}}`;
        const requested = { members: { a: {}, b: members('c') } };
        const whole = scanned(text, requested).root;
        expect(scanned(text, requested, step).root).toEqual(whole);
        expect(cut(text, whole?.members?.['a'])).toBe(first.trim());
        expect(cut(text, whole?.members?.['b']?.members?.['c'])).toBe(second.trim());
      }),
    );
  });
});

describe('limits', () => {
  const problem = (text: string, limits: { maxLevels: number; maxValues?: number }) => {
    const scan = new JsonScan(bytesOf(text), undefined, limits);
    scan.advance();
    return scan.problem;
  };

  it('permits as many levels as the limit, and no more', () => {
    expect(problem('[[[]]]', { maxLevels: 3 })).toBeUndefined();
    expect(problem('[[[[]]]]', { maxLevels: 3 })).toEqual({ code: 'json.too-deep', limit: 3 });
  });

  it('counts the places that it returns', () => {
    const scan = new JsonScan(bytesOf('[1,2,3]'), { elements: {} }, { maxLevels: 9, maxValues: 3 });
    scan.advance();
    expect(scan.problem).toEqual({ code: 'json.too-many-values', limit: 3 });
  });

  it('counts members, objects and arrays, but no texts and numbers in arrays', () => {
    expect(problem('[{"a":1},2,"x"]', { maxLevels: 9, maxValues: 3 })).toBeUndefined();
    expect(problem('[{"a":1},[]]', { maxLevels: 9, maxValues: 3 })).toEqual({
      code: 'json.too-many-values',
      limit: 3,
    });
  });

  it('parses nothing that is larger than the heap can take', () => {
    const limits = { ...PARSE_LIMITS, maxBytes: 10 };
    expect(parseJson('[1,2,3,4,5]', limits)).toEqual({
      ok: false,
      problem: { code: 'json.too-large', limit: 10 },
    });
    expect(parseJson('[1,2,3,4]', limits)).toEqual({ ok: true, value: [1, 2, 3, 4] });
  });

  it('parses bytes and text alike, and refuses what is not JSON', () => {
    expect(parseJson(bytesOf('{"é":"\u{1f600}"}'))).toEqual({
      ok: true,
      value: { é: '\u{1f600}' },
    });
    expect(parseJson('{"a":}')).toMatchObject({ ok: false });
    expect(parseJson(`[${'[],'.repeat(300_000)}1]`)).toMatchObject({
      ok: false,
      problem: { code: 'json.too-many-values' },
    });
  });
});
