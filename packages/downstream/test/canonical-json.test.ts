import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCanonicalJson } from '../src/lists/trust/server-ledger.ts';

it.each([
  ['{"b":1,"a":{"d":2,"c":[{"f":3,"e":4}]}}', '{"a":{"c":[{"e":4,"f":3}],"d":2},"b":1}'],
  ['{"a":[{"b":1,"a":2}]}', '{"a":[{"a":2,"b":1}]}'],
  ['{"a":1,"__proto__":{"c":1,"b":2}}', '{"__proto__":{"b":2,"c":1},"a":1}'],
  ['[3,"é",null,true,{}]', '[3,"é",null,true,{}]'],
])('%s is written as %s', (text, canonical) => {
  expect(formatCanonicalJson(JSON.parse(text))).toBe(canonical);
});

/** The value with the members of its objects the other way round. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, turned(member)] as const);
  return Object.fromEntries(members.reverse());
};

it('the order of members does not matter, and everything else does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = formatCanonicalJson(value);
      expect(formatCanonicalJson(turned(value))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('visits each allowed level once', () => {
  let value: unknown = { b: 1, a: 2 };
  for (let level = 0; level < 127; level += 1) value = { a: value };
  expect(formatCanonicalJson(value)).toContain('{"a":2,"b":1}');
});
