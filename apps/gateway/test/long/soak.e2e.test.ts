import { expect, it } from 'vitest';
import { runForResult } from '../harness/program-result.ts';

/** The part of the result of `soak/soak.mjs` that this test reads. */
interface Soaked {
  readonly counts: Readonly<Record<string, { steps: number; failure?: string }>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

it('a gateway under load answers every kind of request while servers, files and the clock fail, and does not grow', async () => {
  // A loaded machine sends fewer requests; the gate is on the result, not on the rate.
  const program = ['soak/soak.mjs', '--seconds', '20', '--rate', '150'];
  const { code, result } = await runForResult<Soaked>(program);
  const kinds = Object.values(result.counts);
  expect(kinds).toHaveLength(11);
  for (const { steps, failure } of kinds) expect([steps > 0, failure]).toEqual([true, undefined]);
  expect(Object.keys(result.faults).length).toBeGreaterThan(3);
  expect([result.problems, code]).toEqual([[], 0]);
});
