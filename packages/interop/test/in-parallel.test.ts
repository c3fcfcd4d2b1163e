import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runParallel } from '../src/conformance/sides.ts';

it('works on no more items at a time than it may, and keeps their order', async () => {
  let running = 0;
  let most = 0;
  const results = await runParallel(['a', 'b', 'c', 'd', 'e'], 2, async (item, place) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5 * (5 - place));
    running -= 1;
    return `${item}${String(place)}`;
  });
  expect(results).toEqual(['a0', 'b1', 'c2', 'd3', 'e4']);
  expect(most).toBe(2);
});

it('fails when one item does', async () => {
  await expect(runParallel([1], 2, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
