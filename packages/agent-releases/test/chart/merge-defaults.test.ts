import { describe, expect, it } from 'vitest';
import { mergeDefaults } from '../../src/chart/agent-chart.ts';

describe('values over the defaults of a chart', () => {
  it('are merged map by map; lists and texts replace', () =>
    expect(
      mergeDefaults(
        { a: { b: 1, c: { d: 2 } }, list: [1, 2], text: 'x', kept: true },
        { a: { c: { e: 3 } }, list: [3], text: 'y', own: 1 },
      ),
    ).toEqual({ a: { b: 1, c: { d: 2, e: 3 } }, list: [3], text: 'y', kept: true, own: 1 }));

  it('take a default away with null, and only a default', () =>
    expect(
      mergeDefaults({ a: { b: 1, c: 2 }, d: 3 }, { a: { b: null }, d: null, e: null }),
    ).toEqual({
      a: { c: 2 },
      e: null,
    }));

  it('win over a map with something that is none, and the other way round', () =>
    expect(mergeDefaults({ a: { b: 1 }, c: 1 }, { a: 'x', c: { d: 1 } })).toEqual({
      a: 'x',
      c: { d: 1 },
    }));

  it('may have the keys of JavaScript prototypes', () => {
    const merged = mergeDefaults({ a: 1 }, JSON.parse('{"__proto__":{"b":2},"constructor":3}'));
    expect(JSON.stringify(merged)).toBe('{"a":1,"__proto__":{"b":2},"constructor":3}');
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  });
});
