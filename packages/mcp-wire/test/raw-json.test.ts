import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changeMembers,
  JsonScan,
  formatJson,
  storeSourceText,
  formatObject,
  RawObject,
} from '../src/index.ts';

const raw = (text: string): RawObject => {
  const bytes = Buffer.from(text);
  const scan = new JsonScan(bytes, { members: { _meta: {}, isError: {} } });
  scan.advance();
  const object = scan.root && RawObject.at(bytes, scan.root);
  if (object === undefined) throw new Error('it is no object');
  return object;
};

describe('an object as text', () => {
  it.each([
    '{}',
    ' {"a" : 1.10 , "isError":true,\n"b":1e400}',
    '{"_meta":{"n":7960607143101464576},"content":[{"type":"text","text":"\\ud800 é"}],"a":1,"a":2}',
  ])('keeps the bytes of %j', (text) => {
    expect(raw(text).text).toBe(text.trimStart());
  });

  it('wraps the value of a member, and nothing where there is none', () => {
    const wrapped = raw('{"a":[1.10],"_meta":{}}').wrap('_meta', '{"result":', '}');
    expect(wrapped.text).toBe('{"a":[1.10],"_meta":{"result":{}}}');
    expect(wrapped.hasObject('_meta')).toBe(true);
    expect(wrapped.with({ _meta: '[]' }).wrap('_meta', '[', ']').text).toBe(
      '{"a":[1.10],"_meta":[[]]}',
    );
    expect(raw('{"a":1}').wrap('_meta', '[', ']').text).toBe('{"a":1}');
  });

  it('adds members in front, and replaces those that are there in their place', () => {
    expect(raw('{}').with({ _meta: '{}' }).text).toBe('{"_meta":{}}');
    expect(raw('{ }').with({ _meta: '{}' }).text).toBe('{"_meta":{} }');
    expect(raw('{"a":1.10}').with({ _meta: '{"x":1}' }).text).toBe('{"_meta":{"x":1},"a":1.10}');
    expect(raw('{"a":1.10,"_meta":{"y":2},"b":3}').with({ _meta: '{"x":1}', n: '0' }).text).toBe(
      '{"n":0,"a":1.10,"_meta":{"x":1},"b":3}',
    );
  });

  it('reads members without parsing the rest', () => {
    const object = raw('{"x":[1e400],"\\u0069sError":true}');
    expect(object.valueOf('isError')).toBe(true);
    expect(object.member('_meta')).toBeUndefined();
    expect(object.member('x')).toBeUndefined();
  });

  it('parses to the same object, whatever was replaced', () => {
    const member = fc.tuple(
      fc.oneof(fc.constantFrom('_meta', 'isError', '__proto__'), fc.string()),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.array(member), fc.jsonValue(), (members, meta) => {
        const text = `{${members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(' ,')}}`;
        const changed = raw(text).with({ _meta: JSON.stringify(meta) });
        const expected: unknown = JSON.parse(text);
        Object.defineProperty(expected, '_meta', {
          value: meta,
          enumerable: true,
          configurable: true,
        });
        expect(JSON.parse(changed.text)).toEqual(JSON.parse(JSON.stringify(expected)));
        expect(changed.parse()).toEqual({ ok: true, value: JSON.parse(changed.text) });
      }),
    );
  });
});

describe('changes of the members of a text', () => {
  it('removes members and keeps the bytes of the others', () => {
    const isCluster = (name: string): boolean => name === 'cluster';
    const without = (text: string): string => changeMembers(text, { remove: isCluster });
    expect(without('{"cluster":"a","n":1.10}')).toBe('{"n":1.10}');
    expect(without('{"n":1e400, "cluster" : "a" , "b":{"cluster":1}}')).toBe(
      '{"n":1e400, "b":{"cluster":1}}',
    );
    expect(without('{"n":1, "\\u0063luster":{"x":[1,2]}}')).toBe('{"n":1}');
    expect(without('{"cluster":1,"cluster":2}')).toBe('{}');
    expect(without('{}')).toBe('{}');
  });

  it('adds members; they win over those of the same name', () => {
    expect(changeMembers('{"a":1.10,"k":2}', { add: { k: '3' } })).toBe('{"a":1.10,"k":3}');
    expect(changeMembers('{"é":","}', { add: { k: '3' } })).toBe('{"é":",","k":3}');
    expect(changeMembers('{}', { add: { k: '3' } })).toBe('{"k":3}');
  });
});

describe('a parsed value with its text', () => {
  it('is written as it came', () => {
    const text = '{"id":7960607143101464576,"x":1e400}';
    const value = storeSourceText(JSON.parse(text) as object, text);
    expect(formatJson(value)).toBe(text);
    expect(formatObject({ name: 'a', arguments: value, no: undefined })).toBe(
      `{"name":"a","arguments":${text}}`,
    );
  });

  it('is written by its value when it was changed', () => {
    const value = storeSourceText({ a: 1 }, '{"a":1.0}');
    expect(formatJson({ ...value, b: 2 })).toBe('{"a":1,"b":2}');
  });
});
