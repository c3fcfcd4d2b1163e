import { expect, it } from 'vitest';
import { computeMergePatch } from '../../src/merge-patch.ts';

it('contains only the differences, as RFC 7396 defines: null removes a key, lists are replaced', () => {
  const before = { a: 1, gone: true, inner: { x: 1, y: 2 }, list: [1, 2] };
  const after = { a: 1, inner: { x: 1, y: 3 }, list: [2], more: {} };
  expect(computeMergePatch(before, after)).toEqual({
    gone: null,
    inner: { y: 3 },
    list: [2],
    more: {},
  });
});

it('is empty for equal values', () => {
  expect(computeMergePatch({ a: { b: [1] } }, { a: { b: [1] } })).toEqual({});
});

it('does not treat inherited properties as keys', () => {
  const patch = computeMergePatch(
    {},
    JSON.parse('{"constructor": 1, "__proto__": 2}') as object as never,
  );
  expect(Object.entries(patch)).toEqual([
    ['constructor', 1],
    ['__proto__', 2],
  ]);
});
