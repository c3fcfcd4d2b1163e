import { getHeapSpaceStatistics } from 'node:v8';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { InFlightMap } from '../../src/index.ts';

const IN_FLIGHT = 16;
const ROUNDS = 60_000;

const oldGenerationMb = (): number =>
  (getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ??
    0) /
  1024 /
  1024;

/** Returns the growth of the old generation while values are added and removed, before it is collected. */
const highestGrowth = async (table: {
  set(key: number, value: object): void;
  delete(key: number): boolean;
}): Promise<number> => {
  const start = oldGenerationMb();
  let highest = start;
  for (let round = 0; round < ROUNDS; round += 1) {
    table.set(round, { dependencies: Array.from({ length: 60 }, (_, part) => ({ round, part })) });
    table.delete(round - IN_FLIGHT);
    if (round % 64 > 0) continue;
    await turn();
    highest = Math.max(highest, oldGenerationMb());
  }
  return highest - start;
};

describe('the objects of one request', () => {
  it('do not pile up in the old generation', async () => {
    const table = await highestGrowth(new InFlightMap<number, object>());
    expect(table).toBeLessThan(12);
  });
});
