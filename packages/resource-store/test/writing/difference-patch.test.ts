import { expect, it } from 'vitest';
import { differencePatch } from '../../src/writing/difference-patch.ts';

it('says only what differs, as RFC 7396 has it: null takes a key away, lists are replaced whole', () => {
  const before = { a: 1, gone: true, inner: { x: 1, y: 2 }, list: [1, 2] };
  const after = { a: 1, inner: { x: 1, y: 3 }, list: [2], more: {} };
  expect(differencePatch(before, after)).toEqual({
    gone: null,
    inner: { y: 3 },
    list: [2],
    more: {},
  });
});

it('says nothing of what is equal', () => {
  expect(differencePatch({ a: { b: [1] } }, { a: { b: [1] } })).toEqual({});
});

it('takes no key for one of every object', () => {
  const patch = differencePatch(
    {},
    JSON.parse('{"constructor": 1, "__proto__": 2}') as object as never,
  );
  expect(Object.entries(patch)).toEqual([
    ['constructor', 1],
    ['__proto__', 2],
  ]);
});
