import { expect, it } from 'vitest';
import { mergeDefaults } from '../../src/chart/agent-chart.ts';

it.each([
  [
    'are merged map by map; lists and texts replace',
    { a: { b: 1, c: { d: 2 } }, list: [1, 2], text: 'x', kept: true },
    { a: { c: { e: 3 } }, list: [3], text: 'y', own: 1 },
    { a: { b: 1, c: { d: 2, e: 3 } }, list: [3], text: 'y', kept: true, own: 1 },
  ],
  [
    'take a default away with null, and only a default',
    { a: { b: 1, c: 2 }, d: 3 },
    { a: { b: null }, d: null, e: null },
    { a: { c: 2 }, e: null },
  ],
  [
    'win over a map with something that is none, and the other way round',
    { a: { b: 1 }, c: 1 },
    { a: 'x', c: { d: 1 } },
    { a: 'x', c: { d: 1 } },
  ],
])('values over the defaults of a chart %s', (_rule, defaults, values, merged) => {
  expect(mergeDefaults(defaults, values)).toEqual(merged);
});

it('values over the defaults of a chart may have the keys of JavaScript prototypes', () => {
  const merged = mergeDefaults({ a: 1 }, JSON.parse('{"__proto__":{"b":2},"constructor":3}'));
  expect(JSON.stringify(merged)).toBe('{"a":1,"__proto__":{"b":2},"constructor":3}');
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
});
