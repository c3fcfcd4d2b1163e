import { expect, it } from 'vitest';
import { runSlices } from '../src/lists/read-list.ts';

const busy = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

it('other work runs between slices, and the order is preserved', async () => {
  const story: unknown[] = [];
  setImmediate(() => story.push('another'));
  await runSlices(['a', 'b', 'c'], (item, index) => {
    busy(11);
    story.push([item, index]);
  });
  expect(story).toEqual([['a', 0], 'another', ['b', 1], ['c', 2]]);
});
