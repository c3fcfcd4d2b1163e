import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { Json } from '../../src/store/agent-store.ts';
import { listChangedPaths, formatKeyPath } from '../../src/compose/field-edits.ts';

it.each<[string, Json, Json, readonly string[]]>([
  [
    'are those of single values, sorted',
    { toolset: ['preset:none'], agent: { name: 'a', description: 'x', runtime: 'go' } },
    { toolset: ['preset:full'], agent: { name: 'a', description: 'y' } },
    ['agent.description', 'agent.runtime', 'toolset'],
  ],
  [
    'name a list once, however much of it changed',
    { a: { b: [{ c: 1 }, 2] } },
    { a: { b: [{ c: 2 }, 3, 4] } },
    ['a.b'],
  ],
  ['name the keys of an added map', {}, { a: { b: '1', c: '2' } }, ['a.b', 'a.c']],
  ['name the keys of a removed map', { a: { b: '1', c: '2' } }, {}, ['a.b', 'a.c']],
  ['name an empty map that comes', {}, { labels: {} }, ['labels']],
  ['name the keys of a map that is emptied', { a: { b: '1' } }, { a: {} }, ['a.b']],
  ['name a map that becomes something else', { agent: { a: 1 } }, { agent: 'x' }, ['agent']],
  ['name a null that is removed', { agent: null }, {}, ['agent']],
  [
    'keep keys with dots apart from several keys',
    {},
    { labels: { 'a.b/c': '1', '': '2', 'x"y': '3', d: { e: 1 } } },
    ['labels.d.e', 'labels[""]', 'labels["a.b/c"]', 'labels["x\\"y"]'],
  ],
  ['ignore the order of keys', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }, []],
  [
    'distinguish `__proto__` from its absence',
    JSON.parse('{"__proto__":{"a":1}}') as Json,
    {},
    ['__proto__.a'],
  ],
])('the paths that changed %s', (_rule, before, after, paths) => {
  expect(listChangedPaths(before, after).map(formatKeyPath).sort()).toEqual(paths);
});

const map = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 4,
});

it('the paths that changed are none exactly when both are the same JSON', () => {
  fc.assert(
    fc.property(map, map, (one, other) => {
      const [before, after] = JSON.parse(JSON.stringify([one, other])) as [Json, Json];
      expect(listChangedPaths(before, structuredClone(before))).toEqual([]);
      const isEqual = isDeepStrictEqual({ ...before }, { ...after });
      expect(listChangedPaths(before, after).length === 0).toBe(isEqual);
    }),
    { numRuns: 80 },
  );
});
