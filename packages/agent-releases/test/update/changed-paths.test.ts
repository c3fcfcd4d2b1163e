import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/store/agent-store.ts';
import { listChangedPaths, formatKeyPath } from '../../src/compose/field-edits.ts';

const changed = (before: Json, after: Json): readonly string[] =>
  listChangedPaths(before, after).map(formatKeyPath).sort();

describe('the paths that changed', () => {
  it('are those of single values, sorted', () =>
    expect(
      changed(
        { toolset: ['preset:none'], agent: { name: 'a', description: 'x', runtime: 'go' } },
        { toolset: ['preset:full'], agent: { name: 'a', description: 'y' } },
      ),
    ).toEqual(['agent.description', 'agent.runtime', 'toolset']));

  it('name a list once, however much of it changed', () =>
    expect(changed({ a: { b: [{ c: 1 }, 2] } }, { a: { b: [{ c: 2 }, 3, 4] } })).toEqual(['a.b']));

  it('name the keys of an added or removed map', () => {
    expect(changed({}, { labels: { a: '1', b: '2' } })).toEqual(['labels.a', 'labels.b']);
    expect(changed({ labels: { a: '1', b: '2' } }, {})).toEqual(['labels.a', 'labels.b']);
  });

  it('name an empty map that comes, and a map that becomes something else', () => {
    expect(changed({}, { labels: {} })).toEqual(['labels']);
    expect(changed({ labels: { a: '1' } }, { labels: {} })).toEqual(['labels.a']);
    expect(changed({ agent: { a: 1 } }, { agent: 'x' })).toEqual(['agent']);
    expect(changed({ agent: null }, {})).toEqual(['agent']);
  });

  it('keep keys with dots apart from several keys', () =>
    expect(changed({}, { labels: { 'a.b/c': '1', '': '2', 'x"y': '3', d: { e: 1 } } })).toEqual([
      'labels.d.e',
      'labels[""]',
      'labels["a.b/c"]',
      'labels["x\\"y"]',
    ]));

  it('ignore the order of keys, and distinguish `__proto__` from its absence', () => {
    expect(changed({ a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 })).toEqual([]);
    expect(changed(JSON.parse('{"__proto__":{"a":1}}'), {})).toEqual(['__proto__.a']);
  });

  const map = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 4,
  });

  it('are none exactly when both are the same JSON', () =>
    fc.assert(
      fc.property(map, map, (one, other) => {
        const [before, after] = JSON.parse(JSON.stringify([one, other])) as [Json, Json];
        expect(listChangedPaths(before, structuredClone(before))).toEqual([]);
        expect(listChangedPaths(before, after).length === 0).toBe(
          isDeepStrictEqual({ ...before }, { ...after }),
        );
      }),
      { numRuns: 80 },
    ));
});
